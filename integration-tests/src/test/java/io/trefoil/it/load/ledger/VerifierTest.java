/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A verifier that never complains would prove nothing: each kind of damage is planted here once. */
class VerifierTest {
    @TempDir
    private java.nio.file.Path directory;

    private FileSystem fileSystem;
    private RunningLoad load;
    private ChangeLedger ledger;

    @BeforeEach
    void runLoad() throws IOException {
        fileSystem = FileSystem.getLocal(new Configuration()).getRaw();
        load = Workload.on(fileSystem)
                .under(directory.resolve("load").toString())
                .threads(4)
                .fileWriters(1)
                .fileMegabytes(1)
                .start();
        load.awaitMore(500, Await.TIMEOUT);
        Await.until(
                "a file with content is acknowledged",
                Await.TIMEOUT,
                () -> load.ledger().entries().stream().anyMatch(VerifierTest::isWrittenFile),
                () -> load.ledger().toString());
        ledger = load.stop(Await.TIMEOUT);
    }

    private static boolean isWrittenFile(ChangeLedger.Recorded entry) {
        return entry.answer() == ChangeAnswer.ACKNOWLEDGED
                && entry.change() instanceof LedgerChange.WriteFile
                && hasContent(new Path(entry.change().path()));
    }

    /** By the name that the writers of files give. */
    private static boolean hasContent(Path path) {
        return path.getName().startsWith("file");
    }

    @Test
    void acceptsFileSystemThatKeptEverything() throws IOException {
        LedgerFindings findings = findings().expectClean();

        assertThat(findings.rightCount()).isGreaterThan(400);
        assertThat(findings.filesRead()).isPositive();
        assertThat(ledger.failures()).isEmpty();
    }

    @Test
    void reportsMissingAcknowledgedFiles() throws IOException {
        // An empty directory, because the list of what is missing is limited, and a writer's own directory holds more
        // files.
        fileSystem.delete(anyPath(LedgerChange.MakeDirectory.class, this::isEmptyDirectory), false);

        assertThatThrownBy(() -> findings().expectClean()).hasMessageContaining("a directory was acknowledged");
    }

    @Test
    void reportsMissingFile() throws IOException {
        fileSystem.delete(anyPath(LedgerChange.WriteFile.class, path -> exists(path)), false);

        assertThatThrownBy(() -> findings().expectClean()).hasMessageContaining("a file was acknowledged");
    }

    @Test
    void detectsReappearedFiles() throws IOException {
        fileSystem.mkdirs(anyPath(LedgerChange.Delete.class, path -> !exists(path)));

        assertThatThrownBy(() -> findings().expectClean()).hasMessageContaining("its removal was acknowledged");
    }

    @Test
    void reportsUnexpectedDirectory() throws IOException {
        fileSystem.mkdirs(new Path(load.root(), "stranger"));

        assertThatThrownBy(() -> findings().expectClean()).hasMessageContaining("no client ever created it");
    }

    @Test
    void detectsDifferentContent() throws IOException {
        Path file = anyPath(LedgerChange.WriteFile.class, VerifierTest::hasContent);
        long length = fileSystem.getFileStatus(file).getLen();
        try (OutputStream out = fileSystem.create(file, true)) {
            new FileContent(-1, length).writeTo(out);
        }

        assertThatThrownBy(() -> findings().expectClean()).hasMessageContaining("other bytes");
    }

    private LedgerFindings findings() throws IOException {
        return new Verifier(fileSystem).verify(load.root(), ledger);
    }

    private Path anyPath(Class<? extends LedgerChange> kind, Predicate<Path> predicate) {
        return ledger.entries().stream()
                .map(ChangeLedger.Recorded::change)
                .filter(kind::isInstance)
                .map(change -> new Path(change.path()))
                .filter(predicate)
                .findFirst()
                .orElseThrow();
    }

    private boolean isEmptyDirectory(Path path) {
        String[] inside =
                directory.getFileSystem().getPath(path.toString()).toFile().list();
        return inside != null && inside.length == 0;
    }

    private boolean exists(Path path) {
        return directory.getFileSystem().getPath(path.toString()).toFile().exists();
    }
}
