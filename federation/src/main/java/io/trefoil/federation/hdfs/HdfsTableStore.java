/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import io.trefoil.federation.hdfs.folder.AncestorDirectories;
import io.trefoil.federation.hdfs.folder.EntryMarks;
import io.trefoil.federation.hdfs.folder.HdfsAccess;
import io.trefoil.federation.hdfs.folder.MarkedDirectories;
import io.trefoil.federation.hdfs.folder.MovedMarks;
import io.trefoil.federation.hdfs.folder.SealMarks;
import io.trefoil.federation.hdfs.move.DirectorySeal;
import io.trefoil.federation.hdfs.move.HdfsFreeze;
import io.trefoil.federation.hdfs.move.MoveLock;
import io.trefoil.federation.hdfs.tree.SmallFileSettings;
import io.trefoil.federation.hdfs.tree.SnapshottableDirectories;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.federation.marks.SealMark;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableCodec;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The table as files {@code mount-table.VERSION.xml} in one folder, where Hadoop's own clients look for a mount table. A version is made by
 * a rename that overwrites nothing: that is the compare and set. The version is in the journal when the rename returns.
 *
 * <p>Two things seal a folder, and every NameNode enforces both for every client. A quota of names, which the folder itself uses up, leaves
 * no room for anything in it. A {@link DirectorySeal} keeps the folder, and every folder above it, from being removed or renamed.
 *
 * <p>Uses {@code DFSClient.getNamenode}, and {@code DistributedFileSystem} itself, not what the configuration has for
 * {@code hdfs://}, which may route by this very table.
 */
public final class HdfsTableStore implements TableStore {

    private static final Pattern FILE = Pattern.compile("mount-table\\.([1-9][0-9]{0,8})\\.xml");

    /** The name of the snapshot that seals. */
    public static final String SEAL = "trefoil-sealed";

    /** The quota that the folder itself uses up. */
    private static final long NO_ROOM = 1;

    private static final FsPermission FOR_CLIENTS = new FsPermission((short) 0755);

    /** The permission with which all users that may enter the folder make directories of their own there, and see none of others. */
    private static final FsPermission FOR_RENAMES = new FsPermission((short) 01733);

    private final Configuration conf;
    private final URI folder;
    private final Map<String, DistributedFileSystem> fileSystems = new HashMap<>();

    /**
     * @param folder {@code hdfs://nameservice/path}
     * @throws IllegalArgumentException if it is not of this form, or there is no such nameservice
     */
    public HdfsTableStore(Configuration conf, String folder) {
        this.conf = conf;
        this.folder = URI.create(folder);
        if (!"hdfs".equals(this.folder.getScheme()) || this.folder.getAuthority() == null) {
            throw new IllegalArgumentException(
                    "Wanted hdfs://nameservice/folder for the table, found '" + folder + "'");
        }
        SubtreePath.parse(this.folder.getPath());
        if (!nameservices().contains(keeper())) {
            throw new IllegalArgumentException("The table is to be kept in " + folder
                    + ", but the configuration has no nameservice " + keeper() + ", only " + nameservices());
        }
    }

    @Override
    public Set<String> nameservices() {
        return new TreeSet<>(DFSUtilClient.getNameServiceIds(conf));
    }

    @Override
    public String keeper() {
        return folder.getAuthority();
    }

    @Override
    public SubtreePath kept() {
        return SubtreePath.parse(folder.getPath());
    }

    @Override
    public String user() throws IOException {
        return UserGroupInformation.getCurrentUser().getUserName();
    }

    @Override
    public boolean isSuperuser(String nameservice) throws IOException {
        try {
            // Answers superusers only, and changes nothing.
            fileSystem(nameservice).rollingUpgrade(RollingUpgradeAction.QUERY);
            return true;
        } catch (RemoteException e) {
            if (e.getClassName().equals(AccessControlException.class.getName())) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public boolean isRouterNameservice(String nameservice) throws IOException {
        try {
            // Every NameNode answers everybody, whatever its state; no Router does, as there is no one answer of all
            // nameservices.
            fileSystem(nameservice).upgradeStatus();
            return false;
        } catch (RemoteException e) {
            if (e.getClassName().equals(UnsupportedOperationException.class.getName())) {
                return true;
            }
            throw e;
        }
    }

    @Override
    public Optional<TableRecord> newest() throws IOException {
        SortedMap<Integer, Path> files = files();
        return files.isEmpty() ? Optional.empty() : Optional.of(read(files.get(files.lastKey()), files.lastKey()));
    }

    @Override
    public List<TableRecord> history() throws IOException {
        List<TableRecord> records = new ArrayList<>();
        for (Map.Entry<Integer, Path> file : files().entrySet()) {
            records.add(read(file.getValue(), file.getKey()));
        }
        return records;
    }

    private SortedMap<Integer, Path> files() throws IOException {
        SortedMap<Integer, Path> files = new TreeMap<>();
        // An observer may be behind, and whoever carries on after a crash decides by what is the newest version.
        fileSystem(keeper()).msync();
        try {
            for (FileStatus one : fileSystem(keeper()).listStatus(new Path(folder))) {
                Matcher name = FILE.matcher(one.getPath().getName());
                if (name.matches()) {
                    files.put(Integer.parseInt(name.group(1)), one.getPath());
                }
            }
        } catch (FileNotFoundException e) {
            return new TreeMap<>();
        }
        return files;
    }

    private TableRecord read(Path file, int version) throws IOException {
        Configuration properties = new Configuration(false);
        try (FSDataInputStream in = fileSystem(keeper()).open(file)) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            IOUtils.copyBytes(in, bytes, 4096);
            properties.addResource(new ByteArrayInputStream(bytes.toByteArray()), file.toString());
        }
        Map<String, String> raw = new LinkedHashMap<>();
        TableRecord record;
        try {
            for (Map.Entry<String, String> one : properties) {
                raw.put(one.getKey(), properties.getRaw(one.getKey()));
            }
            record = TableCodec.decode(raw);
        } catch (IOException | RuntimeException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
        if (record.table().version() != version) {
            throw new IOException(
                    file + " says that it is version " + record.table().version());
        }
        if (!record.table().rootOwner().equals(keeper())) {
            throw new IOException(
                    file + " gives the root to " + record.table().rootOwner() + ", but is kept by " + keeper());
        }
        return record;
    }

    @Override
    public boolean append(TableRecord record, Permit permit) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(keeper());
        Path parent = new Path(folder);
        mkdirs(fileSystem, parent);
        // Readers ignore a name without a version.
        Path draft = new Path(parent, draftsOf(record.change()) + UUID.randomUUID());
        Path version = new Path(parent, "mount-table." + record.table().version() + ".xml");
        write(fileSystem, draft, record);
        permit.require();
        try {
            fileSystem.rename(draft, version, Options.Rename.NONE);
            return true;
        } catch (FileAlreadyExistsException e) {
            fileSystem.delete(draft, false);
            return false;
        }
    }

    /** The prefix of the names of drafts of a change. */
    private static String draftsOf(String change) {
        return "draft-" + UUID.nameUUIDFromBytes(change.getBytes(StandardCharsets.UTF_8)) + "-";
    }

    @Override
    public void withdraw(String change) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(keeper());
        String drafts = draftsOf(change);
        for (FileStatus one : fileSystem.listStatus(new Path(folder))) {
            if (one.getPath().getName().startsWith(drafts)) {
                // A rename that is on its way finds nothing to rename.
                fileSystem.delete(one.getPath(), false);
            }
        }
    }

    private static void write(DistributedFileSystem fileSystem, Path draft, TableRecord record) throws IOException {
        Configuration properties = new Configuration(false);
        TableCodec.encode(record).forEach(properties::set);
        EnumSet<CreateFlag> durable = EnumSet.of(CreateFlag.CREATE, CreateFlag.SYNC_BLOCK);
        try (FSDataOutputStream out = fileSystem.create(
                draft,
                new FsPermission((short) 0644),
                durable,
                4096,
                fileSystem.getDefaultReplication(draft),
                fileSystem.getDefaultBlockSize(draft),
                null)) {
            properties.writeXml(out);
        }
        // The caller's umask must not hide the table from clients.
        fileSystem.setPermission(draft, new FsPermission((short) 0644));
    }

    @Override
    public List<String> partObstacles(String from, SubtreePath path) throws IOException {
        HdfsFileStatus status = status(from, path.text());
        String folder = "hdfs://" + from + path;
        List<String> obstacles = new ArrayList<>();
        if (status.hasAcl()) {
            obstacles.add(folder
                    + " has an ACL, which a hashed directory cannot have yet; remove it first: hdfs dfs -setfacl -b "
                    + folder);
        }
        if (status.isEncrypted()) {
            obstacles.add(folder + " is in an encryption zone, and files of a hashed directory would not be encrypted");
        }
        if (status.isErasureCoded()) {
            obstacles.add(
                    folder + " has an erasure coding policy, or is in a directory that has one, and files of a hashed"
                            + " directory would have none; remove it first: hdfs ec -unsetPolicy -path " + folder);
        }
        // The parts have that of the root.
        if (status.getStoragePolicy() != status(from, "/").getStoragePolicy()) {
            obstacles.add(folder + " has a storage policy, or is in a directory that has one, and files of a hashed"
                    + " directory would have none; remove it first: hdfs storagepolicies -fs hdfs://" + from
                    + " -unsetStoragePolicy -path " + path);
        }
        return obstacles;
    }

    private HdfsFileStatus status(String nameservice, String path) throws IOException {
        HdfsFileStatus status =
                fileSystem(nameservice).getClient().getNamenode().getFileInfo(path);
        if (status == null) {
            throw new FileNotFoundException("File does not exist: hdfs://" + nameservice + path);
        }
        return status;
    }

    @Override
    public void createPart(String nameservice, String from, SubtreePath path) throws IOException {
        TableRefusedException.requireNone(partObstacles(from, path));
        FileStatus wanted = fileSystem(from).getFileStatus(new Path(path.text()));
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        for (SubtreePath one : SubtreePath.ofHashed()) {
            mkdirs(fileSystem, new Path(one.text()));
        }
        String superuser = UserGroupInformation.getCurrentUser().getShortUserName();
        ClientProtocol nameNode = fileSystem.getClient().getNamenode();
        HdfsAccess access = new HdfsAccess(fileSystem.getUri(), nameNode);
        AncestorDirectories above = AncestorDirectories.readOnly(fileSystem(from), nameNode, access, superuser);
        // Who cannot come to the directory by its own path must not do so by this one; and whoever may rename or delete
        // the directory must not do so with one part of it.
        above.make(path, SubtreePath::part);
        above.make(path, SubtreePath::renames);
        access.mkdirIfMissing(path.part().text(), HdfsAccess.like(wanted).build());
        access.mkdirIfMissing(
                path.renames().text(),
                HdfsAccess.like(wanted).permission(FOR_RENAMES.toShort()).build());
    }

    /** The caller's umask must not keep clients from what is below, not even if the caller ends after any call. */
    private static void mkdirs(DistributedFileSystem fileSystem, Path folder) throws IOException {
        if (!folder.isRoot() && !fileSystem.exists(folder)) {
            mkdirs(fileSystem, folder.getParent());
            ClientProtocol nameNode = fileSystem.getClient().getNamenode();
            nameNode.mkdirs(folder.toUri().getPath(), FOR_CLIENTS, false);
        }
    }

    @Override
    public DirectoryState inspect(String nameservice, SubtreePath path) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        Path there = new Path(path.text());
        FileStatus status;
        try {
            status = fileSystem.getFileStatus(there);
        } catch (FileNotFoundException e) {
            return DirectoryState.ABSENT;
        }
        boolean isEmpty =
                status.isDirectory() && !fileSystem.listStatusIterator(there).hasNext();
        if (!isEmpty) {
            return DirectoryState.IN_USE;
        }
        return hasSeal(nameservice, path) && nameQuota(fileSystem, there) == NO_ROOM
                ? DirectoryState.SEALED
                : DirectoryState.EMPTY;
    }

    @Override
    public List<String> sealObstacles(String nameservice, SubtreePath path) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        Path there = new Path(path.text());
        List<String> obstacles = new ArrayList<>();
        if (fileSystem.exists(there)) {
            long quota = nameQuota(fileSystem, there);
            if (quota > 0 && quota != NO_ROOM) {
                obstacles.add("hdfs://" + nameservice + path + " has a quota of " + quota
                        + " names, which a seal would replace; remove it first: hdfs dfsadmin -fs hdfs://" + nameservice
                        + " -clrQuota " + path + ", or where Routers set it, hdfs dfsrouteradmin -clrQuota " + path);
            }
            if (hasSeal(nameservice, path)) {
                return obstacles;
            }
        }
        ClientProtocol nameNode = fileSystem.getClient().getNamenode();
        boolean isFull = MarkedDirectories.SEALED
                .fullListReason("/", nameNode, nameNode.getXAttrs("/", null), path.text())
                .isPresent();
        if (!isFull && DirectorySeal.canBeMark(fileSystem, path.text())) {
            return obstacles;
        }
        for (String other : SnapshottableDirectories.overlapping(fileSystem, path.text())) {
            if (!other.equals(path.text())) {
                obstacles.add(
                        "Snapshots are allowed in hdfs://" + nameservice + other + ", so HDFS allows none in " + path
                                + ", which a seal needs; delete them, and disallow them: hdfs dfsadmin -fs hdfs://"
                                + nameservice
                                + " -disallowSnapshot " + other
                                + "; or set trefoil.federation.gate at all NameNodes of " + nameservice
                                + ", whose seals are no snapshots");
            }
        }
        return obstacles;
    }

    @Override
    public void replaceEmpty(String nameservice, SubtreePath empty, SubtreePath by) throws IOException {
        fileSystem(nameservice).rename(new Path(by.text()), new Path(empty.text()), Options.Rename.OVERWRITE);
    }

    @Override
    public void seal(String nameservice, SubtreePath path, Permit permit) throws IOException {
        TableRefusedException.requireNone(sealObstacles(nameservice, path));
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        ClientProtocol nameNode = MoveLock.guarded(fileSystem.getClient().getNamenode(), permit);
        Path there = new Path(path.text());
        if (!fileSystem.exists(there)) {
            permit.require();
            fileSystem.mkdirs(there);
        }
        DirectorySeal seal = new DirectorySeal(fileSystem, path.text(), SEAL, permit);
        seal.set();
        nameNode.setQuota(path.text(), NO_ROOM, HdfsConstants.QUOTA_DONT_SET, null);
        // Somebody may have removed it meanwhile. By it the quota is known for that of a seal, and can be removed.
        seal.set();
    }

    @Override
    public void unseal(String nameservice, SubtreePath path, Permit permit) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        ClientProtocol nameNode = MoveLock.guarded(fileSystem.getClient().getNamenode(), permit);
        Path there = new Path(path.text());
        // The mark goes first: as long as it is there, NameNodes refuse everybody.
        MovedMarks.remove(nameNode, path.text());
        DirectorySeal seal = new DirectorySeal(fileSystem, path.text(), SEAL, permit);
        if (!seal.exists() && !isHalfASeal(fileSystem, there)) {
            return;
        }
        seal.remove();
        // Another one is not that of the seal.
        if (nameQuota(fileSystem, there) == NO_ROOM) {
            nameNode.setQuota(path.text(), HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET, null);
        }
    }

    /**
     * Whether a folder is half a seal: an empty folder with no room for anything is of no other use, so the process that
     * removed the seal ended before the quota.
     */
    private static boolean isHalfASeal(DistributedFileSystem fileSystem, Path folder) throws IOException {
        return fileSystem.exists(folder)
                && nameQuota(fileSystem, folder) == NO_ROOM
                && !fileSystem.listStatusIterator(folder).hasNext();
    }

    @Override
    public void keep(String nameservice, SubtreePath path) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        if (HdfsFreeze.knowsMarks(fileSystem, UUID.randomUUID().toString(), path.text())) {
            EntryMarks.set(fileSystem.getClient().getNamenode(), path.text());
        }
    }

    @Override
    public void release(String nameservice, SubtreePath path) throws IOException {
        EntryMarks.remove(fileSystem(nameservice).getClient().getNamenode(), path.text());
    }

    @Override
    public void leave(String nameservice, SubtreePath path, String owner, int version) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        if (HdfsFreeze.knowsMarks(fileSystem, UUID.randomUUID().toString(), path.text())) {
            MovedMarks.set(fileSystem.getClient().getNamenode(), path.text(), MovedMark.of(owner, version));
        }
    }

    @Override
    public boolean unmark(String nameservice, SubtreePath path) throws IOException {
        boolean wasMarked = isMarked(nameservice, path);
        MovedMarks.remove(fileSystem(nameservice).getClient().getNamenode(), path.text());
        return wasMarked;
    }

    @Override
    public boolean isMarked(String nameservice, SubtreePath path) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        Path there = new Path(path.text());
        return fileSystem.exists(there) && fileSystem.getXAttrs(there).containsKey(MovedMark.NAME);
    }

    @Override
    public List<String> sealRemovals(String nameservice, SubtreePath path) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        Path there = new Path(path.text());
        List<String> commands = new ArrayList<>();
        if (!fileSystem.exists(there) || !fileSystem.getFileStatus(there).isDirectory()) {
            return commands;
        }
        String folder = "hdfs://" + nameservice + path;
        String administration = "hdfs dfsadmin -fs hdfs://" + nameservice;
        if (isMarked(nameservice, path)) {
            commands.add("hdfs dfs -setfattr -x " + MovedMark.NAME + " " + folder);
        }
        if (nameQuota(fileSystem, there) == NO_ROOM) {
            commands.add(administration + " -clrQuota " + path);
        }
        if (SealMarks.has(fileSystem.getClient().getNamenode(), path.text())) {
            commands.add("hdfs dfs -setfattr -x " + SealMark.NAME + " " + folder);
        }
        if (fileSystem.exists(new Path(there, HdfsConstants.DOT_SNAPSHOT_DIR + "/" + SEAL))) {
            commands.add("hdfs dfs -deleteSnapshot " + folder + " " + SEAL);
            commands.add(administration + " -disallowSnapshot " + path);
        }
        return commands;
    }

    @Override
    public boolean hasSeal(String nameservice, SubtreePath path) throws IOException {
        return new DirectorySeal(fileSystem(nameservice), path.text(), SEAL, () -> {}).exists();
    }

    @Override
    public boolean clearOtherQuota(String nameservice, SubtreePath path) throws IOException {
        DistributedFileSystem fileSystem = fileSystem(nameservice);
        Path there = new Path(path.text());
        boolean isOther = hasSeal(nameservice, path) && nameQuota(fileSystem, there) != NO_ROOM;
        if (isOther) {
            fileSystem
                    .getClient()
                    .getNamenode()
                    .setQuota(path.text(), HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET, null);
        }
        return isOther;
    }

    private static long nameQuota(DistributedFileSystem fileSystem, Path folder) throws IOException {
        QuotaUsage usage = fileSystem.getQuotaUsage(folder);
        return usage.getQuota();
    }

    private DistributedFileSystem fileSystem(String nameservice) throws IOException {
        DistributedFileSystem known = fileSystems.get(nameservice);
        if (known == null) {
            known = new DistributedFileSystem();
            known.initialize(URI.create("hdfs://" + nameservice), SmallFileSettings.closedSoon(conf));
            fileSystems.put(nameservice, known);
        }
        return known;
    }

    @Override
    public void close() throws IOException {
        for (DistributedFileSystem one : fileSystems.values()) {
            one.close();
        }
    }
}
