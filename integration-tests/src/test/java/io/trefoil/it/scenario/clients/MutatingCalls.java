/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.clients;

import static org.awaitility.Awaitility.await;

import io.trefoil.it.process.Await;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.BatchedRemoteIterator.BatchedEntries;
import org.apache.hadoop.fs.CacheFlag;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.AddErasureCodingPolicyResponse;
import org.apache.hadoop.hdfs.protocol.CacheDirectiveInfo;
import org.apache.hadoop.hdfs.protocol.CachePoolInfo;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LastBlockWithStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.ZoneReencryptionStatus;
import org.apache.hadoop.hdfs.server.namenode.ha.ReadOnly;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.io.retry.AtMostOnce;

/**
 * One call of each method of HDFS's client protocol that changes the namespace, on paths of its own. A method that is
 * in neither list makes the test fail, so that a method of a new Hadoop is not forgotten.
 */
final class MutatingCalls {
    /** The client that holds all leases. */
    static final String HOLDER = "DFSClient_exactly_once";

    /** The key of encryption zones; it must exist before the NameNodes start. */
    static final String KEY = "key";

    /**
     * Methods that HDFS executes again when they are retried, with its own clients as with ours, and why that cannot be
     * otherwise or does no harm; the table of docs/design/smart-client.md. {@link ReexecutedCalls} sends them.
     */
    static final Map<String, String> EXECUTED_AGAIN = Collections.unmodifiableMap(new TreeMap<>(Map.ofEntries(
            Map.entry(
                    "updateBlockForPipeline",
                    "hands out another generation stamp; a block gets only the one that `updatePipeline` brings back"),
            Map.entry("rollEdits", "begins another segment of the log; the namespace stays as it is"),
            Map.entry(
                    "finalizeUpgrade",
                    "deletes what an upgrade left, of which nothing is there the second time; waits for the journal with"
                            + " HDFS's lock held"),
            Map.entry(
                    "rollingUpgrade",
                    "an upgrade that has begun is not begun again, and the answer is the same; waits for the journal with"
                            + " HDFS's lock held"),
            Map.entry(
                    "saveNamespace",
                    "makes an image of one NameNode, which the retry cache of that one remembers; there is nothing that another"
                            + " one could repeat"),
            Map.entry("getDelegationToken", "hands out another token; the first one is as good"),
            Map.entry("renewDelegationToken", "the token lives longer by the time between the two"),
            Map.entry(
                    "cancelDelegationToken",
                    "the token is gone after the first; the second one gets the error that there is none, with HDFS's own clients"
                            + " as well"),
            Map.entry("createSymlink", "symbolic links are switched off in HDFS's code: it is refused each time"))));

    /** The call; returns its answer as text, without anything that may differ between two right answers. */
    interface Body {
        Object invoke(ClientProtocol nameNode) throws Exception;
    }

    /** A method's call, and what must exist before it. */
    record Call(String method, Body prepare, Body body) {

        boolean isAtMostOnce() {
            return Arrays.stream(ClientProtocol.class.getMethods())
                    .filter(candidate -> candidate.getName().equals(method))
                    .anyMatch(candidate -> candidate.isAnnotationPresent(AtMostOnce.class));
        }
    }

    private final FileSystem fileSystem;
    private final int round;
    private final List<Call> calls = new ArrayList<>();
    private final FsPermission permission = new FsPermission((short) 0755);

    /**
     * @param fileSystem writes the files that need content
     * @param round calls of different rounds are independent
     */
    MutatingCalls(FileSystem fileSystem, int round) {
        this.fileSystem = fileSystem;
        this.round = round;
        addFileCalls();
        addLeaseCalls();
        addNameCalls();
        addAttributeCalls();
        addServiceAttributeCalls();
        addSnapshotAndCacheCalls();
        addErasureCodingCalls();
        addAdministrationCalls();
        addReencryptionCalls();
    }

    List<Call> all() {
        return Collections.unmodifiableList(calls);
    }

    /** Mutating methods of this Hadoop that have no call, neither here nor in {@link ReexecutedCalls}. */
    Set<String> uncoveredMethods() {
        Set<String> methods = Arrays.stream(ClientProtocol.class.getMethods())
                .filter(method -> !method.isAnnotationPresent(ReadOnly.class))
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        methods.removeAll(EXECUTED_AGAIN.keySet());
        calls.forEach(call -> methods.remove(call.method()));
        return methods;
    }

    private void add(String method, Body prepare, Body body) {
        calls.add(new Call(method, prepare, body));
    }

    private String pathOf(String path) {
        return "/round-" + round + path;
    }

    private String nameOf(String global) {
        return "round-" + round + "-" + global;
    }

    /** Distinguishes the policies of different rounds. */
    private int cellKilobytes() {
        return 8 + round;
    }

    private ErasureCodingPolicy policy(int dataUnits) {
        return new ErasureCodingPolicy(new ECSchema("rs", dataUnits, 2), cellKilobytes() << 10);
    }

    private static Object returnNothing(ClientProtocol nameNode) {
        return "";
    }

    private HdfsFileStatus create(ClientProtocol nameNode, String path, EnumSet<CreateFlag> flags) throws Exception {
        return nameNode.create(
                path,
                permission,
                HOLDER,
                new EnumSetWritable<>(flags, CreateFlag.class),
                true,
                (short) 1,
                1 << 20,
                new CryptoProtocolVersion[0],
                null,
                null);
    }

    private String createClosed(ClientProtocol nameNode, String path) throws Exception {
        HdfsFileStatus file = create(nameNode, path, EnumSet.of(CreateFlag.CREATE));
        nameNode.complete(path, HOLDER, null, file.getFileId());
        return path;
    }

    private static String describe(HdfsFileStatus file) {
        return "file " + file.getFileId() + " " + file.getLocalName() + " " + file.getPermission() + " "
                + file.getLen();
    }

    private void addFileCalls() {
        add(
                "create",
                MutatingCalls::returnNothing,
                nameNode -> describe(create(nameNode, pathOf("/create/new"), EnumSet.of(CreateFlag.CREATE))));
        add(
                "create",
                nameNode -> createClosed(nameNode, pathOf("/create/old")),
                nameNode -> describe(
                        create(nameNode, pathOf("/create/old"), EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE))));
        add("append", nameNode -> createClosed(nameNode, pathOf("/append/file")), nameNode -> {
            LastBlockWithStatus last = nameNode.append(
                    pathOf("/append/file"),
                    HOLDER,
                    new EnumSetWritable<>(EnumSet.of(CreateFlag.APPEND), CreateFlag.class));
            return last.getLastBlock() + " " + describe(last.getFileStatus());
        });
        List<LocatedBlock> added = new ArrayList<>();
        add(
                "addBlock",
                nameNode -> create(nameNode, pathOf("/block/file"), EnumSet.of(CreateFlag.CREATE)),
                nameNode -> {
                    LocatedBlock block = nameNode.addBlock(
                            pathOf("/block/file"), HOLDER, null, null, HdfsConstants.GRANDFATHER_INODE_ID, null, null);
                    return block.getBlock();
                });
        List<LocatedBlock> abandoned = new ArrayList<>();
        add(
                "abandonBlock",
                nameNode -> {
                    create(nameNode, pathOf("/abandoned/file"), EnumSet.of(CreateFlag.CREATE));
                    return abandoned.add(nameNode.addBlock(
                            pathOf("/abandoned/file"),
                            HOLDER,
                            null,
                            null,
                            HdfsConstants.GRANDFATHER_INODE_ID,
                            null,
                            null));
                },
                nameNode -> {
                    nameNode.abandonBlock(
                            abandoned.get(0).getBlock(),
                            HdfsConstants.GRANDFATHER_INODE_ID,
                            pathOf("/abandoned/file"),
                            HOLDER);
                    return "";
                });
        List<ExtendedBlock> renewed = new ArrayList<>();
        add(
                "updatePipeline",
                nameNode -> {
                    create(nameNode, pathOf("/pipeline/file"), EnumSet.of(CreateFlag.CREATE));
                    added.add(nameNode.addBlock(
                            pathOf("/pipeline/file"),
                            HOLDER,
                            null,
                            null,
                            HdfsConstants.GRANDFATHER_INODE_ID,
                            null,
                            null));
                    renewed.add(nameNode.updateBlockForPipeline(added.get(0).getBlock(), HOLDER)
                            .getBlock());
                    return "";
                },
                nameNode -> {
                    LocatedBlock old = added.get(0);
                    nameNode.updatePipeline(
                            HOLDER, old.getBlock(), renewed.get(0), old.getLocations(), old.getStorageIDs());
                    return "";
                });
        add(
                "complete",
                nameNode -> create(nameNode, pathOf("/complete/file"), EnumSet.of(CreateFlag.CREATE)),
                nameNode ->
                        nameNode.complete(pathOf("/complete/file"), HOLDER, null, HdfsConstants.GRANDFATHER_INODE_ID));
        add("fsync", nameNode -> create(nameNode, pathOf("/fsync/file"), EnumSet.of(CreateFlag.CREATE)), nameNode -> {
            nameNode.fsync(pathOf("/fsync/file"), HdfsConstants.GRANDFATHER_INODE_ID, HOLDER, -1);
            return "";
        });
        add(
                "truncate",
                nameNode -> createClosed(nameNode, pathOf("/truncate/file")),
                nameNode -> nameNode.truncate(pathOf("/truncate/file"), 0, HOLDER));
    }

    private void addLeaseCalls() {
        add(
                "renewLease",
                nameNode -> create(nameNode, pathOf("/lease/renewed"), EnumSet.of(CreateFlag.CREATE)),
                nameNode -> {
                    nameNode.renewLease(HOLDER, null);
                    return "";
                });
        add(
                "recoverLease",
                nameNode -> create(nameNode, pathOf("/lease/recovered"), EnumSet.of(CreateFlag.CREATE)),
                nameNode -> nameNode.recoverLease(pathOf("/lease/recovered"), "somebody else"));
    }

    private void addNameCalls() {
        add(
                "mkdirs",
                MutatingCalls::returnNothing,
                nameNode -> nameNode.mkdirs(pathOf("/mkdirs/a/b"), permission, true));
        add(
                "delete",
                nameNode -> createClosed(nameNode, pathOf("/delete/file")),
                nameNode -> nameNode.delete(pathOf("/delete/file"), true));
        add(
                "rename",
                nameNode -> createClosed(nameNode, pathOf("/rename/a")),
                nameNode -> rename(nameNode, pathOf("/rename/a"), pathOf("/rename/b")));
        add("rename2", nameNode -> createClosed(nameNode, pathOf("/rename2/a")), nameNode -> {
            nameNode.rename2(pathOf("/rename2/a"), pathOf("/rename2/b"), Options.Rename.OVERWRITE);
            return "";
        });
    }

    @SuppressWarnings("deprecation")
    private static boolean rename(ClientProtocol nameNode, String from, String to) throws Exception {
        return nameNode.rename(from, to);
    }

    private void addAttributeCalls() {
        add(
                "setReplication",
                nameNode -> createClosed(nameNode, pathOf("/attribute/replication")),
                nameNode -> nameNode.setReplication(pathOf("/attribute/replication"), (short) 2));
        addVoidCall(
                "setStoragePolicy",
                nameNode -> nameNode.setStoragePolicy(pathOf("/attribute/setStoragePolicy"), "COLD"));
        addVoidCall(
                "unsetStoragePolicy", nameNode -> nameNode.unsetStoragePolicy(pathOf("/attribute/unsetStoragePolicy")));
        addVoidCall(
                "setPermission",
                nameNode -> nameNode.setPermission(pathOf("/attribute/setPermission"), new FsPermission((short) 0700)));
        addVoidCall("setOwner", nameNode -> nameNode.setOwner(pathOf("/attribute/setOwner"), "somebody", "some"));
        addVoidCall("setQuota", nameNode -> nameNode.setQuota(pathOf("/attribute/setQuota"), 100, 1L << 30, null));
        addVoidCall("setTimes", nameNode -> nameNode.setTimes(pathOf("/attribute/setTimes"), 1_000, 2_000));
        List<AclEntry> entries = AclEntry.parseAclSpec("user:somebody:rwx", true);
        List<AclEntry> whole = AclEntry.parseAclSpec("user::rwx,user:somebody:r-x,group::r-x,other::r-x", true);
        addVoidCall(
                "modifyAclEntries",
                nameNode -> nameNode.modifyAclEntries(pathOf("/attribute/modifyAclEntries"), entries));
        addVoidCall(
                "removeAclEntries",
                nameNode -> nameNode.removeAclEntries(
                        pathOf("/attribute/removeAclEntries"), AclEntry.parseAclSpec("user:somebody", false)));
        addVoidCall("removeDefaultAcl", nameNode -> nameNode.removeDefaultAcl(pathOf("/attribute/removeDefaultAcl")));
        addVoidCall("removeAcl", nameNode -> nameNode.removeAcl(pathOf("/attribute/removeAcl")));
        addVoidCall("setAcl", nameNode -> nameNode.setAcl(pathOf("/attribute/setAcl"), whole));
        XAttr attribute = new XAttr.Builder()
                .setNameSpace(XAttr.NameSpace.USER)
                .setName("colour")
                .setValue(new byte[] {1})
                .build();
        addVoidCall(
                "setXAttr",
                nameNode ->
                        nameNode.setXAttr(pathOf("/attribute/setXAttr"), attribute, EnumSet.of(XAttrSetFlag.CREATE)));
        add(
                "removeXAttr",
                nameNode -> {
                    nameNode.mkdirs(pathOf("/attribute/removeXAttr"), permission, true);
                    nameNode.setXAttr(pathOf("/attribute/removeXAttr"), attribute, EnumSet.of(XAttrSetFlag.CREATE));
                    return "";
                },
                nameNode -> {
                    nameNode.removeXAttr(pathOf("/attribute/removeXAttr"), attribute);
                    return "";
                });
    }

    private void addServiceAttributeCalls() {
        addVoidCall(
                "createEncryptionZone",
                nameNode -> nameNode.createEncryptionZone(pathOf("/attribute/createEncryptionZone"), KEY));
        add("satisfyStoragePolicy", nameNode -> createWithBlock(pathOf("/attribute/satisfied")), nameNode -> {
            nameNode.satisfyStoragePolicy(pathOf("/attribute/satisfied"));
            return "";
        });
    }

    /** A method that returns nothing. */
    private interface VoidCall {
        void invoke(ClientProtocol nameNode) throws Exception;
    }

    /** Calls a method on an existing directory of its own. */
    private void addVoidCall(String method, VoidCall body) {
        add(method, nameNode -> nameNode.mkdirs(pathOf("/attribute/" + method), permission, true), nameNode -> {
            body.invoke(nameNode);
            return "";
        });
    }

    private void addSnapshotAndCacheCalls() {
        addVoidCall("allowSnapshot", nameNode -> nameNode.allowSnapshot(pathOf("/attribute/allowSnapshot")));
        addSnapshotCall("disallowSnapshot", List.of(), nameNode -> {
            nameNode.disallowSnapshot(pathOf("/snapshots/disallowSnapshot"));
            return "";
        });
        addSnapshotCall(
                "createSnapshot",
                List.of(),
                nameNode -> nameNode.createSnapshot(pathOf("/snapshots/createSnapshot"), "s"));
        addSnapshotCall("deleteSnapshot", List.of("s"), nameNode -> {
            nameNode.deleteSnapshot(pathOf("/snapshots/deleteSnapshot"), "s");
            return "";
        });
        addSnapshotCall("renameSnapshot", List.of("s"), nameNode -> {
            nameNode.renameSnapshot(pathOf("/snapshots/renameSnapshot"), "s", "t");
            return "";
        });
        add("addCachePool", MutatingCalls::returnNothing, nameNode -> {
            nameNode.addCachePool(new CachePoolInfo(nameOf("added")));
            return "";
        });
        addPoolCall(
                "modifyCachePool",
                nameNode -> nameNode.modifyCachePool(new CachePoolInfo(nameOf("modifyCachePool")).setLimit(7L)));
        addPoolCall("removeCachePool", nameNode -> nameNode.removeCachePool(nameOf("removeCachePool")));
        add(
                "addCacheDirective",
                nameNode -> createPool(nameNode, "addCacheDirective"),
                nameNode ->
                        nameNode.addCacheDirective(directive("addCacheDirective"), EnumSet.noneOf(CacheFlag.class)));
        List<Long> ids = new ArrayList<>();
        Body directives = nameNode -> {
            String pool = "directives" + ids.size();
            createPool(nameNode, pool);
            return ids.add(nameNode.addCacheDirective(directive(pool), EnumSet.noneOf(CacheFlag.class)));
        };
        add("modifyCacheDirective", directives, nameNode -> {
            nameNode.modifyCacheDirective(
                    new CacheDirectiveInfo.Builder()
                            .setId(ids.get(0))
                            .setReplication((short) 3)
                            .build(),
                    EnumSet.noneOf(CacheFlag.class));
            return "";
        });
        add("removeCacheDirective", directives, nameNode -> {
            nameNode.removeCacheDirective(ids.get(1));
            return "";
        });
    }

    private CacheDirectiveInfo directive(String pool) {
        return new CacheDirectiveInfo.Builder()
                .setPath(new Path(pathOf("/mkdirs")))
                .setPool(nameOf(pool))
                .build();
    }

    private Object createPool(ClientProtocol nameNode, String pool) throws Exception {
        nameNode.addCachePool(new CachePoolInfo(nameOf(pool)));
        return "";
    }

    private void addPoolCall(String method, VoidCall body) {
        add(method, nameNode -> createPool(nameNode, method), nameNode -> {
            body.invoke(nameNode);
            return "";
        });
    }

    private void addSnapshotCall(String method, List<String> existingSnapshots, Body body) {
        String directory = pathOf("/snapshots/" + method);
        add(
                method,
                nameNode -> {
                    nameNode.mkdirs(directory, permission, true);
                    nameNode.allowSnapshot(directory);
                    for (String name : existingSnapshots) {
                        nameNode.createSnapshot(directory, name);
                    }
                    return "";
                },
                body);
    }

    private String createWithBlock(String path) throws IOException {
        try (FSDataOutputStream file = fileSystem.create(new Path(path))) {
            file.write(new byte[1_024]);
        }
        return path;
    }

    private void addErasureCodingCalls() {
        add("addErasureCodingPolicies", MutatingCalls::returnNothing, nameNode -> {
            AddErasureCodingPolicyResponse[] responses =
                    nameNode.addErasureCodingPolicies(new ErasureCodingPolicy[] {policy(3), policy(4)});
            return Arrays.stream(responses)
                    .map(response ->
                            response.isSucceed() + " " + response.getPolicy().getName())
                    .toList();
        });
        add(
                "removeErasureCodingPolicy",
                nameNode -> nameNode.addErasureCodingPolicies(new ErasureCodingPolicy[] {policy(5)}),
                nameNode -> {
                    nameNode.removeErasureCodingPolicy(policy(5).getName());
                    return "";
                });
        add("enableErasureCodingPolicy", MutatingCalls::returnNothing, nameNode -> {
            nameNode.enableErasureCodingPolicy("XOR-2-1-1024k");
            return "";
        });
        add(
                "disableErasureCodingPolicy",
                nameNode -> {
                    nameNode.enableErasureCodingPolicy("RS-3-2-1024k");
                    return "";
                },
                nameNode -> {
                    nameNode.disableErasureCodingPolicy("RS-3-2-1024k");
                    return "";
                });
        add(
                "setErasureCodingPolicy",
                nameNode -> {
                    nameNode.enableErasureCodingPolicy("RS-10-4-1024k");
                    return nameNode.mkdirs(pathOf("/attribute/setErasureCodingPolicy"), permission, true);
                },
                nameNode -> {
                    nameNode.setErasureCodingPolicy(pathOf("/attribute/setErasureCodingPolicy"), "RS-10-4-1024k");
                    return "";
                });
        add(
                "unsetErasureCodingPolicy",
                nameNode -> {
                    nameNode.enableErasureCodingPolicy("RS-10-4-1024k");
                    nameNode.mkdirs(pathOf("/attribute/unsetErasureCodingPolicy"), permission, true);
                    nameNode.setErasureCodingPolicy(pathOf("/attribute/unsetErasureCodingPolicy"), "RS-10-4-1024k");
                    return "";
                },
                nameNode -> {
                    nameNode.unsetErasureCodingPolicy(pathOf("/attribute/unsetErasureCodingPolicy"));
                    return "";
                });
        add(
                "concat",
                nameNode -> {
                    // Only files with a block can be concatenated.
                    createWithBlock(pathOf("/concat/a"));
                    return createWithBlock(pathOf("/concat/b"));
                },
                nameNode -> {
                    nameNode.concat(pathOf("/concat/a"), new String[] {pathOf("/concat/b")});
                    return "";
                });
    }

    /** Calls that concern one NameNode, or its DataNodes, and not the namespace: each execution answers and leaves the same. */
    private void addAdministrationCalls() {
        List<LocatedBlock> added = new ArrayList<>();
        add(
                "getAdditionalDatanode",
                nameNode -> {
                    create(nameNode, pathOf("/additional/file"), EnumSet.of(CreateFlag.CREATE));
                    return added.add(nameNode.addBlock(
                            pathOf("/additional/file"),
                            HOLDER,
                            null,
                            null,
                            HdfsConstants.GRANDFATHER_INODE_ID,
                            null,
                            null));
                },
                nameNode -> {
                    LocatedBlock block = added.get(0);
                    return nameNode.getAdditionalDatanode(
                                    pathOf("/additional/file"),
                                    HdfsConstants.GRANDFATHER_INODE_ID,
                                    block.getBlock(),
                                    block.getLocations(),
                                    block.getStorageIDs(),
                                    new DatanodeInfo[0],
                                    1,
                                    HOLDER)
                            .getLocations()
                            .length;
                });
        List<LocatedBlock> bad = new ArrayList<>();
        add(
                "reportBadBlocks",
                nameNode -> bad.addAll(nameNode.getBlockLocations(createWithBlock(pathOf("/bad/file")), 0, 1)
                        .getLocatedBlocks()),
                nameNode -> {
                    nameNode.reportBadBlocks(bad.toArray(new LocatedBlock[0]));
                    return "";
                });
        add(
                "setSafeMode",
                MutatingCalls::returnNothing,
                nameNode -> nameNode.setSafeMode(HdfsConstants.SafeModeAction.SAFEMODE_LEAVE, true));
        add("restoreFailedStorage", MutatingCalls::returnNothing, nameNode -> nameNode.restoreFailedStorage("false"));
        add("upgradeStatus", MutatingCalls::returnNothing, ClientProtocol::upgradeStatus);
        add("refreshNodes", MutatingCalls::returnNothing, nameNode -> {
            nameNode.refreshNodes();
            return "";
        });
        add("metaSave", MutatingCalls::returnNothing, nameNode -> {
            nameNode.metaSave("meta.txt");
            return "";
        });
        add("setBalancerBandwidth", MutatingCalls::returnNothing, nameNode -> {
            nameNode.setBalancerBandwidth(10 << 20);
            return "";
        });
    }

    /** It goes on in the background; {@link #awaitReencrypted} waits for its final state. */
    private void addReencryptionCalls() {
        add(
                "reencryptEncryptionZone",
                nameNode -> {
                    nameNode.mkdirs(pathOf("/reencrypted"), permission, true);
                    nameNode.createEncryptionZone(pathOf("/reencrypted"), KEY);
                    return "";
                },
                nameNode -> {
                    nameNode.reencryptEncryptionZone(pathOf("/reencrypted"), HdfsConstants.ReencryptAction.START);
                    return "";
                });
    }

    /** Waits until no reencryption is running. */
    static void awaitReencrypted(ClientProtocol nameNode) {
        await().atMost(Await.TIMEOUT).until(() -> {
            BatchedEntries<ZoneReencryptionStatus> zones = nameNode.listReencryptionStatus(0);
            for (int i = 0; i < zones.size(); i++) {
                if (zones.get(i).getState() != ZoneReencryptionStatus.State.Completed) {
                    return false;
                }
            }
            return true;
        });
    }
}
