/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
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
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LastBlockWithStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.ha.ReadOnly;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.apache.hadoop.io.retry.AtMostOnce;

/**
 * One call of each method of HDFS's client protocol that changes the namespace, on paths of its own. A method that is in
 * neither list makes the test fail, so that one that a new Hadoop brings is not forgotten.
 */
final class MutatingCalls {
    /** The client that holds all leases. */
    static final String HOLDER = "DFSClient_exactly_once";

    /** Methods that are not annotated as reading only, and change nothing of the namespace, or not what a client asked for. */
    private static final Map<String, String> LEFT_OUT = Map.ofEntries(
            Map.entry("abandonBlock", "undoes an addBlock; nothing to find afterwards"),
            Map.entry("getAdditionalDatanode", "changes nothing"),
            Map.entry("updateBlockForPipeline", "hands out a generation stamp; a second one does no harm"),
            Map.entry("reportBadBlocks", "tells of blocks, not of names"),
            Map.entry("renewLease", "changes a time only"),
            Map.entry("recoverLease", "begins what datanodes finish"),
            Map.entry("setSafeMode", "of one NameNode"),
            Map.entry("saveNamespace", "of one NameNode"),
            Map.entry("rollEdits", "of the log"),
            Map.entry("restoreFailedStorage", "of one NameNode"),
            Map.entry("refreshNodes", "of one NameNode"),
            Map.entry("finalizeUpgrade", "of the storage"),
            Map.entry("upgradeStatus", "changes nothing"),
            Map.entry("rollingUpgrade", "of the storage"),
            Map.entry("metaSave", "of one NameNode"),
            Map.entry("setBalancerBandwidth", "of datanodes"),
            Map.entry("getDelegationToken", "a second token does no harm"),
            Map.entry("renewDelegationToken", "changes a time only"),
            Map.entry("cancelDelegationToken", "needs a token"),
            Map.entry("createSymlink", "HDFS has symbolic links switched off"),
            Map.entry("createEncryptionZone", "needs a key server"),
            Map.entry("reencryptEncryptionZone", "needs a key server"),
            Map.entry("satisfyStoragePolicy", "needs a storage policy satisfier"));

    /** What is called; its answer as text, in which nothing stands that may differ between two right answers. */
    interface Body {
        Object on(ClientProtocol nameNode) throws Exception;
    }

    /** One method's call, and what must be there before. */
    record Call(String method, Body prepare, Body body) {

        boolean isAtMostOnce() {
            return Arrays.stream(ClientProtocol.class.getMethods())
                    .filter(candidate -> candidate.getName().equals(method))
                    .anyMatch(candidate -> candidate.isAnnotationPresent(AtMostOnce.class));
        }
    }

    private final FileSystem fileSystem;
    private final List<Call> calls = new ArrayList<>();
    private final FsPermission permission = new FsPermission((short) 0755);

    /** @param fileSystem writes the files that need content */
    MutatingCalls(FileSystem fileSystem) {
        this.fileSystem = fileSystem;
        files();
        names();
        attributes();
        snapshotsAndCaches();
        erasureCoding();
    }

    List<Call> all() {
        return Collections.unmodifiableList(calls);
    }

    /** Mutating methods of this Hadoop for which there is neither a call nor a reason to leave them out. */
    Set<String> forgotten() {
        Set<String> methods = Arrays.stream(ClientProtocol.class.getMethods())
                .filter(method -> !method.isAnnotationPresent(ReadOnly.class))
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        methods.removeAll(LEFT_OUT.keySet());
        calls.forEach(call -> methods.remove(call.method()));
        return methods;
    }

    private void add(String method, Body prepare, Body body) {
        calls.add(new Call(method, prepare, body));
    }

    private static Object nothing(ClientProtocol nameNode) {
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

    private String closed(ClientProtocol nameNode, String path) throws Exception {
        HdfsFileStatus file = create(nameNode, path, EnumSet.of(CreateFlag.CREATE));
        nameNode.complete(path, HOLDER, null, file.getFileId());
        return path;
    }

    private static String text(HdfsFileStatus file) {
        return "file " + file.getFileId() + " " + file.getLocalName() + " " + file.getPermission() + " "
                + file.getLen();
    }

    private void files() {
        add(
                "create",
                MutatingCalls::nothing,
                nameNode -> text(create(nameNode, "/create/new", EnumSet.of(CreateFlag.CREATE))));
        add(
                "create",
                nameNode -> closed(nameNode, "/create/old"),
                nameNode -> text(create(nameNode, "/create/old", EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE))));
        add("append", nameNode -> closed(nameNode, "/append/file"), nameNode -> {
            LastBlockWithStatus last = nameNode.append(
                    "/append/file", HOLDER, new EnumSetWritable<>(EnumSet.of(CreateFlag.APPEND), CreateFlag.class));
            return last.getLastBlock() + " " + text(last.getFileStatus());
        });
        List<LocatedBlock> added = new ArrayList<>();
        add("addBlock", nameNode -> create(nameNode, "/block/file", EnumSet.of(CreateFlag.CREATE)), nameNode -> {
            LocatedBlock block = nameNode.addBlock(
                    "/block/file", HOLDER, null, null, HdfsConstants.GRANDFATHER_INODE_ID, null, null);
            return block.getBlock();
        });
        List<ExtendedBlock> renewed = new ArrayList<>();
        add(
                "updatePipeline",
                nameNode -> {
                    create(nameNode, "/pipeline/file", EnumSet.of(CreateFlag.CREATE));
                    added.add(nameNode.addBlock(
                            "/pipeline/file", HOLDER, null, null, HdfsConstants.GRANDFATHER_INODE_ID, null, null));
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
                nameNode -> create(nameNode, "/complete/file", EnumSet.of(CreateFlag.CREATE)),
                nameNode -> nameNode.complete("/complete/file", HOLDER, null, HdfsConstants.GRANDFATHER_INODE_ID));
        add("fsync", nameNode -> create(nameNode, "/fsync/file", EnumSet.of(CreateFlag.CREATE)), nameNode -> {
            nameNode.fsync("/fsync/file", HdfsConstants.GRANDFATHER_INODE_ID, HOLDER, -1);
            return "";
        });
        add(
                "truncate",
                nameNode -> closed(nameNode, "/truncate/file"),
                nameNode -> nameNode.truncate("/truncate/file", 0, HOLDER));
    }

    private void names() {
        add("mkdirs", MutatingCalls::nothing, nameNode -> nameNode.mkdirs("/mkdirs/a/b", permission, true));
        add("delete", nameNode -> closed(nameNode, "/delete/file"), nameNode -> nameNode.delete("/delete/file", true));
        add(
                "rename",
                nameNode -> closed(nameNode, "/rename/a"),
                nameNode -> rename(nameNode, "/rename/a", "/rename/b"));
        add("rename2", nameNode -> closed(nameNode, "/rename2/a"), nameNode -> {
            nameNode.rename2("/rename2/a", "/rename2/b", Options.Rename.OVERWRITE);
            return "";
        });
    }

    @SuppressWarnings("deprecation")
    private static boolean rename(ClientProtocol nameNode, String from, String to) throws Exception {
        return nameNode.rename(from, to);
    }

    private void attributes() {
        add(
                "setReplication",
                nameNode -> closed(nameNode, "/attribute/replication"),
                nameNode -> nameNode.setReplication("/attribute/replication", (short) 2));
        quiet("setStoragePolicy", nameNode -> nameNode.setStoragePolicy("/attribute/setStoragePolicy", "COLD"));
        quiet("unsetStoragePolicy", nameNode -> nameNode.unsetStoragePolicy("/attribute/unsetStoragePolicy"));
        quiet(
                "setPermission",
                nameNode -> nameNode.setPermission("/attribute/setPermission", new FsPermission((short) 0700)));
        quiet("setOwner", nameNode -> nameNode.setOwner("/attribute/setOwner", "somebody", "some"));
        quiet("setQuota", nameNode -> nameNode.setQuota("/attribute/setQuota", 100, 1L << 30, null));
        quiet("setTimes", nameNode -> nameNode.setTimes("/attribute/setTimes", 1_000, 2_000));
        List<AclEntry> entries = AclEntry.parseAclSpec("user:somebody:rwx", true);
        List<AclEntry> whole = AclEntry.parseAclSpec("user::rwx,user:somebody:r-x,group::r-x,other::r-x", true);
        quiet("modifyAclEntries", nameNode -> nameNode.modifyAclEntries("/attribute/modifyAclEntries", entries));
        quiet(
                "removeAclEntries",
                nameNode -> nameNode.removeAclEntries(
                        "/attribute/removeAclEntries", AclEntry.parseAclSpec("user:somebody", false)));
        quiet("removeDefaultAcl", nameNode -> nameNode.removeDefaultAcl("/attribute/removeDefaultAcl"));
        quiet("removeAcl", nameNode -> nameNode.removeAcl("/attribute/removeAcl"));
        quiet("setAcl", nameNode -> nameNode.setAcl("/attribute/setAcl", whole));
        XAttr attribute = new XAttr.Builder()
                .setNameSpace(XAttr.NameSpace.USER)
                .setName("colour")
                .setValue(new byte[] {1})
                .build();
        quiet(
                "setXAttr",
                nameNode -> nameNode.setXAttr("/attribute/setXAttr", attribute, EnumSet.of(XAttrSetFlag.CREATE)));
        add(
                "removeXAttr",
                nameNode -> {
                    nameNode.mkdirs("/attribute/removeXAttr", permission, true);
                    nameNode.setXAttr("/attribute/removeXAttr", attribute, EnumSet.of(XAttrSetFlag.CREATE));
                    return "";
                },
                nameNode -> {
                    nameNode.removeXAttr("/attribute/removeXAttr", attribute);
                    return "";
                });
    }

    /** A method that returns nothing. */
    private interface Quiet {
        void on(ClientProtocol nameNode) throws Exception;
    }

    /** On a directory of its own that is there. */
    private void quiet(String method, Quiet body) {
        add(method, nameNode -> nameNode.mkdirs("/attribute/" + method, permission, true), nameNode -> {
            body.on(nameNode);
            return "";
        });
    }

    private void snapshotsAndCaches() {
        quiet("allowSnapshot", nameNode -> nameNode.allowSnapshot("/attribute/allowSnapshot"));
        snapshot("disallowSnapshot", List.of(), nameNode -> {
            nameNode.disallowSnapshot("/snapshots/disallowSnapshot");
            return "";
        });
        snapshot("createSnapshot", List.of(), nameNode -> nameNode.createSnapshot("/snapshots/createSnapshot", "s"));
        snapshot("deleteSnapshot", List.of("s"), nameNode -> {
            nameNode.deleteSnapshot("/snapshots/deleteSnapshot", "s");
            return "";
        });
        snapshot("renameSnapshot", List.of("s"), nameNode -> {
            nameNode.renameSnapshot("/snapshots/renameSnapshot", "s", "t");
            return "";
        });
        add("addCachePool", MutatingCalls::nothing, nameNode -> {
            nameNode.addCachePool(new CachePoolInfo("added"));
            return "";
        });
        pool(
                "modifyCachePool",
                nameNode -> nameNode.modifyCachePool(new CachePoolInfo("modifyCachePool").setLimit(7L)));
        pool("removeCachePool", nameNode -> nameNode.removeCachePool("removeCachePool"));
        add(
                "addCacheDirective",
                nameNode -> withPool(nameNode, "addCacheDirective"),
                nameNode ->
                        nameNode.addCacheDirective(directive("addCacheDirective"), EnumSet.noneOf(CacheFlag.class)));
        List<Long> ids = new ArrayList<>();
        Body directives = nameNode -> {
            String pool = "directives" + ids.size();
            withPool(nameNode, pool);
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

    private static CacheDirectiveInfo directive(String pool) {
        return new CacheDirectiveInfo.Builder()
                .setPath(new Path("/mkdirs"))
                .setPool(pool)
                .build();
    }

    private static Object withPool(ClientProtocol nameNode, String pool) throws Exception {
        nameNode.addCachePool(new CachePoolInfo(pool));
        return "";
    }

    private void pool(String method, Quiet body) {
        add(method, nameNode -> withPool(nameNode, method), nameNode -> {
            body.on(nameNode);
            return "";
        });
    }

    private void snapshot(String method, List<String> there, Body body) {
        String directory = "/snapshots/" + method;
        add(
                method,
                nameNode -> {
                    nameNode.mkdirs(directory, permission, true);
                    nameNode.allowSnapshot(directory);
                    for (String name : there) {
                        nameNode.createSnapshot(directory, name);
                    }
                    return "";
                },
                body);
    }

    private void erasureCoding() {
        add("addErasureCodingPolicies", MutatingCalls::nothing, nameNode -> {
            AddErasureCodingPolicyResponse[] responses = nameNode.addErasureCodingPolicies(new ErasureCodingPolicy[] {
                new ErasureCodingPolicy(new ECSchema("rs", 3, 2), 8192),
                new ErasureCodingPolicy(new ECSchema("rs", 4, 2), 8192)
            });
            return Arrays.stream(responses)
                    .map(response ->
                            response.isSucceed() + " " + response.getPolicy().getName())
                    .toList();
        });
        add("removeErasureCodingPolicy", MutatingCalls::nothing, nameNode -> {
            nameNode.removeErasureCodingPolicy("RS-4-2-8k");
            return "";
        });
        add("enableErasureCodingPolicy", MutatingCalls::nothing, nameNode -> {
            nameNode.enableErasureCodingPolicy("RS-10-4-1024k");
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
        quiet(
                "setErasureCodingPolicy",
                nameNode -> nameNode.setErasureCodingPolicy("/attribute/setErasureCodingPolicy", "RS-10-4-1024k"));
        add(
                "unsetErasureCodingPolicy",
                nameNode -> {
                    nameNode.mkdirs("/attribute/unsetErasureCodingPolicy", permission, true);
                    nameNode.setErasureCodingPolicy("/attribute/unsetErasureCodingPolicy", "RS-10-4-1024k");
                    return "";
                },
                nameNode -> {
                    nameNode.unsetErasureCodingPolicy("/attribute/unsetErasureCodingPolicy");
                    return "";
                });
        add(
                "concat",
                nameNode -> {
                    for (String name : List.of("/concat/a", "/concat/b")) {
                        // Only files with a block can be put together.
                        try (FSDataOutputStream file = fileSystem.create(new Path(name))) {
                            file.write(new byte[1_024]);
                        }
                    }
                    return "";
                },
                nameNode -> {
                    nameNode.concat("/concat/a", new String[] {"/concat/b"});
                    return "";
                });
    }
}
