/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.client.hashed.HashedLayout;
import io.trefoil.federation.client.hdfs.hashed.HashedFileSystem;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

/** All methods of HDFS's client in a hashed directory, and what refuses them. */
class HashedDirectoryTest extends HashedDirectoryFixture {
    private static final String READ_ONLY = "user::r-x,group::r-x,other::r-x";

    @Test
    void supportsFileOperationsAndRefusesWholeDirectoryOperations() throws IOException {
        hashDirectory();
        write(files, pathOf("dir/file"));
        try (FSDataOutputStream out = files.append(pathOf("dir/file"))) {
            out.writeUTF("more");
        }
        files.setPermission(pathOf("dir/file"), new FsPermission((short) 0600));
        assertThat(files.setReplication(pathOf("dir/file"), (short) 1)).isTrue();
        assertThat(files.getFileStatus(pathOf("dir/file")).getPermission().toShort())
                .isEqualTo((short) 0600);
        assertThat(files.getFileChecksum(pathOf("dir/file"))).isNotNull();
        assertThatThrownBy(() -> files.setPermission(pathOf("dir"), new FsPermission((short) 0577)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("the owner of a directory must be allowed to write and to enter it");
        assertThatThrownBy(() -> files.setAcl(pathOf("dir"), AclEntry.parseAclSpec(READ_ONLY, true)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("the owner of a directory must be allowed to write and to enter it");
        assertThatThrownBy(() -> files.setXAttr(pathOf("dir"), "trusted.name", new byte[0]))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("only attributes that begin with user.");
        assertThatThrownBy(() -> files.setStoragePolicy(pathOf("dir"), "COLD"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("In a hashed directory no storage policy can be set");
        assertThatThrownBy(() -> files.createSnapshot(new Path(directory)))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> files.delete(new Path(directory), true)).isInstanceOf(IOException.class);
    }

    @Test
    void reportsCapabilitiesOfHashedDirectories() throws IOException {
        hashDirectory();
        write(files, pathOf("file"));
        for (String one : List.of(
                CommonPathCapabilities.FS_APPEND,
                CommonPathCapabilities.FS_TRUNCATE,
                CommonPathCapabilities.LEASE_RECOVERABLE,
                CommonPathCapabilities.FS_ACLS)) {
            assertThat(files.hasPathCapability(pathOf("file"), one)).as(one).isTrue();
        }
        for (String one : List.of(CommonPathCapabilities.FS_CONCAT, CommonPathCapabilities.FS_SNAPSHOTS)) {
            assertThat(files.hasPathCapability(pathOf("file"), one)).as(one).isFalse();
        }
        assertThatThrownBy(() -> files.concat(pathOf("file"), new Path[] {pathOf("file")}))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("files are not joined");
    }

    @Test
    void refusesRemovalOfPartsAndTableThroughFederation() throws IOException {
        hashDirectory();
        write(files, pathOf("file"));
        for (String one : List.of("/.trefoil", HashedLayout.rootOf(directory), "/.trefoil/hashing" + tables)) {
            Path path = new Path(one);
            assertThatThrownBy(() -> files.delete(path, true)).isInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> files.rename(path, new Path("/away" + tables)))
                    .isInstanceOf(AccessControlException.class)
                    .hasMessageContaining("name the nameservice");
        }
        assertReads(files, pathOf("file"), "file");
    }

    /** What HDFS's client has that is not one of a hashed directory. */
    private static final Set<String> REFUSED = Set.of(
            "allowSnapshot",
            "concat",
            "createEncryptionZone",
            "createMultipartUploader",
            "createSnapshot",
            "createSymlink",
            "deleteSnapshot",
            "disallowSnapshot",
            "getLinkTarget",
            "getSnapshotDiffReport",
            "getSnapshotDiffReportListing",
            "getSnapshotListing",
            "listCorruptFileBlocks",
            "provisionEZTrash",
            "provisionSnapshotTrash",
            "reencryptEncryptionZone",
            "renameSnapshot",
            "satisfyStoragePolicy",
            "setErasureCodingPolicy",
            "setQuota",
            "setQuotaByStorageType",
            "setStoragePolicy",
            "snapshotDiffReportListingRemoteIterator",
            "unsetErasureCodingPolicy",
            "unsetStoragePolicy");

    /** Each method of HDFS's client with a path is called: it is done, or the refusal says why, and nothing else happens. */
    @Test
    void hashedDirectorySupportsOrRefusesEachMethod() throws Exception {
        hashDirectory();
        Set<String> refused = new TreeSet<>();
        List<String> astray = new ArrayList<>();
        int number = 0;
        for (Method method : DistributedFileSystem.class.getMethods()) {
            Class<?>[] types = method.getParameterTypes();
            boolean isOfPath = Arrays.stream(types).anyMatch(type -> type == Path.class || type == Path[].class);
            boolean isOfLocal = method.getName().contains("Local");
            if (!isOfPath || isOfLocal || Modifier.isStatic(method.getModifiers()) || method.isBridge()) {
                continue;
            }
            number++;
            Path file = pathOf("walk" + number + "/file");
            write(files, file);
            if (!method.getName().equals("setXAttr")) {
                files.setXAttr(file, "user.one", new byte[] {1});
            }
            Object[] arguments = new Object[types.length];
            for (int i = 0; i < types.length; i++) {
                boolean isSecond = Arrays.asList(types).subList(0, i).contains(Path.class)
                        || method.getName().startsWith("mkdir");
                arguments[i] = sampleArgument(
                        method.getName(), types[i], isSecond ? pathOf("walk" + number + "/other") : file);
            }
            String name = method.getName() + Arrays.toString(types);
            try {
                method.invoke(files, arguments);
            } catch (InvocationTargetException e) {
                Throwable cause = e.getCause();
                if (cause instanceof UnsupportedOperationException) {
                    refused.add(method.getName());
                    if (!cause.getMessage().contains("a hashed directory")) {
                        astray.add(name + ": " + cause);
                    }
                } else {
                    astray.add(
                            name + ": " + cause.toString().lines().findFirst().orElse(""));
                }
            }
        }

        assertThat(astray).isEmpty();
        assertThat(refused).containsExactlyInAnyOrderElementsOf(REFUSED);
    }

    private static Object sampleArgument(String method, Class<?> type, Path path) {
        if (type == Path.class) {
            return path;
        }
        if (type == Path[].class) {
            return new Path[] {path};
        }
        if (type == boolean.class) {
            return true;
        }
        if (type == int.class) {
            return 4096;
        }
        if (type == long.class) {
            return method.equals("truncate") ? 1L : 1L << 20;
        }
        if (type == short.class) {
            return (short) 1;
        }
        if (type == String.class) {
            return "user.one";
        }
        if (type == byte[].class) {
            return new byte[] {1};
        }
        if (type == EnumSet.class) {
            return method.equals("append")
                    ? EnumSet.of(CreateFlag.APPEND)
                    : method.equals("setXAttr")
                            ? EnumSet.of(XAttrSetFlag.CREATE)
                            : EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE);
        }
        if (type == FsPermission.class) {
            return FsPermission.getDirDefault();
        }
        if (type == FsAction.class) {
            return FsAction.READ;
        }
        if (type == PathFilter.class) {
            return (PathFilter) one -> true;
        }
        if (type == List.class) {
            return method.equals("getXAttrs")
                    ? List.of("user.one")
                    : AclEntry.parseAclSpec(
                            (method.equals("setAcl") ? READ_ONLY + "," : "") + "user:bob:r--,mask::r--", true);
        }
        if (type == StorageType.class) {
            return StorageType.DISK;
        }
        if (type == Options.Rename[].class) {
            return new Options.Rename[] {Options.Rename.NONE};
        }
        return null;
    }

    @Test
    void hashedSchemeIsReservedForTables() {
        assertThatThrownBy(() -> FileSystem.newInstance(URI.create(HashedFileSystem.SCHEME + "://cluster"), conf))
                .isInstanceOf(IOException.class);
    }
}
