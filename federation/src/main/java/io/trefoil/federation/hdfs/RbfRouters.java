/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import io.trefoil.federation.mirror.MirrorMark;
import io.trefoil.federation.mirror.MountChange;
import io.trefoil.federation.mirror.MountEntry;
import io.trefoil.federation.mirror.Routers;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.foundation.NoServerReachedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.federation.resolver.MountTableManager;
import org.apache.hadoop.hdfs.server.federation.resolver.RemoteLocation;
import org.apache.hadoop.hdfs.server.federation.router.RBFConfigKeys;
import org.apache.hadoop.hdfs.server.federation.router.RouterClient;
import org.apache.hadoop.hdfs.server.federation.store.protocol.AddMountTableEntryRequest;
import org.apache.hadoop.hdfs.server.federation.store.protocol.GetDestinationRequest;
import org.apache.hadoop.hdfs.server.federation.store.protocol.GetMountTableEntriesRequest;
import org.apache.hadoop.hdfs.server.federation.store.protocol.RefreshMountTableEntriesRequest;
import org.apache.hadoop.hdfs.server.federation.store.protocol.RemoveMountTableEntryRequest;
import org.apache.hadoop.hdfs.server.federation.store.protocol.UpdateMountTableEntryRequest;
import org.apache.hadoop.hdfs.server.federation.store.records.MountTable;
import org.apache.hadoop.net.NetUtils;

/**
 * Routers, called through their administration as {@code hdfs dfsrouteradmin} does, and through the answers that their
 * clients get.
 *
 * <p>Only this class needs hadoop-hdfs-rbf, and it is loaded only when Routers are asked for.
 */
public final class RbfRouters implements Routers {

    private final Map<String, RouterClient> administration = new LinkedHashMap<>();
    private final Map<String, DistributedFileSystem> clients = new HashMap<>();
    private final Configuration conf;

    /** The last reading, kept to preserve operators' changes of Trefoil's entries, such as quotas. */
    private final Map<String, MountTable> read = new HashMap<>();

    /** The Router that the last reading came from. */
    private String writer;

    /**
     * @param addresses of their administration; if empty, those in the configuration
     * @throws IllegalArgumentException if one of them is not an address
     */
    public RbfRouters(Configuration conf, List<String> addresses) throws IOException {
        this.conf = new Configuration(conf);
        // No retries: the next Router is asked instead.
        this.conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
        this.conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
        List<String> named = addresses.isEmpty()
                ? Collections.singletonList(conf.getTrimmed(
                        RBFConfigKeys.DFS_ROUTER_ADMIN_ADDRESS_KEY, RBFConfigKeys.DFS_ROUTER_ADMIN_ADDRESS_DEFAULT))
                : addresses;
        for (String address : named) {
            administration.put(address, new RouterClient(adminAddress(address), new Configuration(this.conf)));
        }
        writer = named.get(0);
    }

    private static InetSocketAddress adminAddress(String address) {
        return NetUtils.createSocketAddr(address, RBFConfigKeys.DFS_ROUTER_ADMIN_PORT_DEFAULT);
    }

    @Override
    public List<String> addresses() {
        return new ArrayList<>(administration.keySet());
    }

    private MountTableManager manager(String router) {
        return administration.get(router).getMountTableManager();
    }

    @Override
    public List<MountEntry> entries() throws IOException {
        List<String> failures = new ArrayList<>();
        for (String router : administration.keySet()) {
            try {
                // A Router answers from memory.
                refresh(router);
                List<MountTable> mountTables = fetchMountTable(router);
                writer = router;
                read.clear();
                mountTables.forEach(entry -> read.put(entry.getSourcePath(), entry));
                return mountTables.stream().map(RbfRouters::toMountEntry).collect(Collectors.toList());
            } catch (IOException e) {
                failures.add(router + ": " + firstLine(e));
            }
        }
        throw new NoServerReachedException("No Router gives its mount table. " + String.join("; ", failures));
    }

    @Override
    public List<MountEntry> entries(String router) throws IOException {
        return fetchMountTable(router).stream().map(RbfRouters::toMountEntry).collect(Collectors.toList());
    }

    private List<MountTable> fetchMountTable(String router) throws IOException {
        return manager(router)
                .getMountTableEntries(GetMountTableEntriesRequest.newInstance("/"))
                .getEntries();
    }

    private static MountEntry toMountEntry(MountTable entry) {
        return MountEntry.of(
                entry.getSourcePath(),
                entry.getDestinations().stream()
                        .map(destination -> MountEntry.target(destination.getNameserviceId(), destination.getDest()))
                        .collect(Collectors.toList()),
                MirrorMark.read(entry.getOwnerName(), entry.getGroupName()));
    }

    @Override
    public void applyChange(MountChange change, MirrorMark mark) throws IOException {
        boolean made;
        try {
            made = sendChange(change, mark);
        } catch (IOException e) {
            // Hadoop's translator of this protocol keeps only the text of a refusal.
            throw new IOException(
                    "The Router " + writer + " did not " + change.kind().text() + " " + change.path() + ", to be with "
                            + change.nameservice() + ": " + firstLine(e),
                    e);
        }
        if (!made) {
            throw new TableRefusedException("The Router " + writer + " did not "
                    + change.kind().text() + " " + change.path()
                    + ": that entry has been changed meanwhile, or its State Store accepts no changes now. Try "
                    + "again");
        }
    }

    /** Sends a change to a Router that writes; returns whether the mount table took it. */
    private boolean sendChange(MountChange change, MirrorMark mark) throws IOException {
        String path = change.path();
        switch (change.kind()) {
            case ADD:
                MountTable added = MountTable.newInstance(path, Collections.singletonMap(change.nameservice(), path));
                added.setOwnerName(mark.owner());
                added.setGroupName(mark.group());
                return manager(writer)
                        .addMountTableEntry(AddMountTableEntryRequest.newInstance(added))
                        .getStatus();
            case REMOVE:
                return manager(writer)
                        .removeMountTableEntry(RemoveMountTableEntryRequest.newInstance(path))
                        .getStatus();
            default:
                MountTable changed = read.get(path);
                changed.setDestinations(
                        Collections.singletonList(new RemoteLocation(change.nameservice(), path, path)));
                // Applies only to entries with several targets.
                changed.setFaultTolerant(false);
                changed.setOwnerName(mark.owner());
                changed.setGroupName(mark.group());
                return manager(writer)
                        .updateMountTableEntry(UpdateMountTableEntryRequest.newInstance(changed))
                        .getStatus();
        }
    }

    @Override
    public void refresh(String router) throws IOException {
        boolean isRead;
        try {
            isRead = manager(router)
                    .refreshMountTableEntries(RefreshMountTableEntriesRequest.newInstance())
                    .getResult();
        } catch (IOException e) {
            throw new IOException(firstLine(e), e);
        }
        if (!isRead) {
            throw new IOException("it could not read its State Store");
        }
    }

    @Override
    public String resolveNameservice(String router, SubtreePath path) throws IOException {
        // The Router returns the entry's nameservice even if it does not know it; only a client's call shows that.
        String destinations = String.join(
                ", ",
                manager(router)
                        .getDestination(GetDestinationRequest.newInstance(path.text()))
                        .getDestinations());
        try {
            client(router).getFileStatus(new Path(path.text()));
        } catch (FileNotFoundException e) {
            throw new IOException(path + " is missing in " + destinations, e);
        } catch (IOException e) {
            throw new IOException("its clients are refused " + path + " in " + destinations + ": " + firstLine(e), e);
        }
        return destinations;
    }

    /** A client of one Router; all Routers of a configuration listen for clients at the same port. */
    private DistributedFileSystem client(String router) throws IOException {
        DistributedFileSystem known = clients.get(router);
        if (known == null) {
            int port = NetUtils.createSocketAddr(conf.getTrimmed(
                            RBFConfigKeys.DFS_ROUTER_RPC_ADDRESS_KEY, RBFConfigKeys.DFS_ROUTER_RPC_ADDRESS_DEFAULT))
                    .getPort();
            known = new DistributedFileSystem();
            known.initialize(
                    URI.create("hdfs://" + adminAddress(router).getHostString() + ":" + port), new Configuration(conf));
            clients.put(router, known);
        }
        return known;
    }

    /** The first line of a message: a Router appends its stack trace. */
    private static String firstLine(IOException e) {
        String text = String.valueOf(e.getMessage());
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    @Override
    public void close() throws IOException {
        for (RouterClient client : administration.values()) {
            client.close();
        }
        for (DistributedFileSystem fileSystem : clients.values()) {
            fileSystem.close();
        }
    }
}
