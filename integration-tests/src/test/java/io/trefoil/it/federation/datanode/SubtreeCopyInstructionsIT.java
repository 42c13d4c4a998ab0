/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What cannot be linked gets its new owner by the commands that the refusal prints, as they are printed. */
@Tag("long")
class SubtreeCopyInstructionsIT extends LinkedNameservices {
    private static final String POLICY = "XOR-2-1-1024k";

    private PrintedCommands commands;

    @BeforeEach
    void openShell() {
        commands = commands == null ? new PrintedCommands(sales) : commands;
    }

    /** The directory of a table of this test's own. */
    private String tableDirectory() {
        return "hdfs://sales/.trefoil" + file;
    }

    @Test
    void copiesErasureCodedSubtree() throws Exception {
        byte[] bytes = makeSubtree();
        salesFiles.enableErasureCodingPolicy(POLICY);
        Path coded = new Path(file, "coded");
        salesFiles.mkdirs(coded);
        salesFiles.setErasureCodingPolicy(coded, POLICY);
        write(new Path(coded, "file"), bytes);

        commands.runAll(linesAfter("Links are not possible"));

        assertCopied(bytes);
        assertThat(read(stockFiles, file + "/coded/file")).isEqualTo(bytes);
        assertThat(stockFiles.getErasureCodingPolicy(new Path(coded, "file")).getName())
                .isEqualTo(POLICY);
        assertPutAside();
    }

    @Test
    void copiesSubtreeWithSnapshots() throws Exception {
        byte[] bytes = makeSubtree();
        makeSnapshot();

        commands.runAll(linesAfter("or copy what is there now"));

        assertCopied(bytes);
        assertPutAside();
    }

    @Test
    void movesSubtreeAfterDeletingSnapshots() throws Exception {
        byte[] bytes = makeSubtree();
        makeSnapshot();

        commands.runAll(linesAfter("Snapshots do not go along"));

        assertCopied(bytes);
        assertThat(salesFiles.listStatus(new Path(file))).isEmpty();
    }

    /**
     * What would be offered it cannot be made with these NameNodes and DataNodes: files of before HDFS 2.3, on no disk, or symbolic links. So the
     * commands are those that {@code SubtreeCopyInstructionsTest} expects. Jobs run in its own process, as in its own tests.
     */
    @Test
    void copiesSubtreeByFederationBalance() throws Exception {
        byte[] bytes = makeSubtree();

        commands.runAll(List.of(
                "hadoop fedbalance -D hdfs.fedbalance.procedure.scheduler.journal.uri=hdfs://sales/tmp/fedbalance submit"
                        + " hdfs://sales" + file + " hdfs://stock" + file,
                "hdfs trefoil table add " + file + " stock --table " + tableDirectory()));

        assertCopied(bytes);
        assertThat(salesFiles.listStatus(new Path(file))).isEmpty();
        Path trash = new Path(salesFiles.getTrashRoot(new Path(file)), "Current" + file + "/folder/plain");
        assertThat(read(salesFiles, trash.toUri().getPath())).isEqualTo(bytes);
    }

    private byte[] makeSubtree() throws IOException {
        sales.trefoil("table", "create", "cluster", "--table", tableDirectory()).expectSuccess();
        byte[] bytes = randomBytes(LENGTH);
        Path plain = new Path(file, "folder/plain");
        write(plain, bytes);
        awaitReported(salesFiles, plain.toString());
        salesFiles.setOwner(plain, "alice", "staff");
        salesFiles.setPermission(plain, new FsPermission((short) 0640));
        salesFiles.modifyAclEntries(plain, AclEntry.parseAclSpec("user:bob:rw-", true));
        salesFiles.setXAttr(plain, "user.colour", new byte[] {7}, EnumSet.of(XAttrSetFlag.CREATE));
        salesFiles.setOwner(plain.getParent(), "alice", "staff");
        return bytes;
    }

    private void write(Path path, byte[] bytes) throws IOException {
        try (OutputStream out = salesFiles.create(path, true, 4096, REPLICATION, BLOCK)) {
            out.write(bytes);
        }
    }

    private void makeSnapshot() throws IOException {
        Path directory = new Path(file, "folder");
        salesFiles.allowSnapshot(directory);
        salesFiles.createSnapshot(directory, "monday");
    }

    /** The commands of a refusal that follow a line, up to the next that is no command. */
    private List<String> linesAfter(String heading) {
        String said = sales.trefoil("subtree", "move", file, "--to", "stock", "--table", tableDirectory(), "--dry-run")
                .output();
        return PrintedCommands.commandsAfter(heading, said);
    }

    private void assertCopied(byte[] bytes) throws IOException {
        Path plain = new Path(file, "folder/plain");
        assertThat(read(stockFiles, plain.toString())).isEqualTo(bytes);
        FileStatus status = stockFiles.getFileStatus(plain);
        assertThat(status.getOwner()).isEqualTo("alice");
        assertThat(status.getGroup()).isEqualTo("staff");
        assertThat(status.getReplication()).isEqualTo(REPLICATION);
        assertThat(status.getBlockSize()).isEqualTo(BLOCK);
        DistributedFileSystem original = salesFiles;
        Path aside = new Path(file + ".old/folder/plain");
        if (original.exists(aside)) {
            FileStatus was = original.getFileStatus(aside);
            assertThat(status.getPermission()).isEqualTo(was.getPermission());
            assertThat(status.getModificationTime()).isEqualTo(was.getModificationTime());
        }
        assertThat(stockFiles.getAclStatus(plain).getEntries()).contains(AclEntry.parseAclEntry("user:bob:rw-", true));
        assertThat(stockFiles.getXAttrs(plain)).containsKey("user.colour");
        assertThat(sales.trefoil("table", "show", file, "--table", tableDirectory())
                        .expectSuccess()
                        .output())
                .isEqualTo("stock\n");
    }

    private void assertPutAside() throws IOException {
        assertThat(salesFiles.exists(new Path(file + ".old/folder/plain"))).isTrue();
        assertThat(salesFiles.listStatus(new Path(file))).isEmpty();
    }
}
