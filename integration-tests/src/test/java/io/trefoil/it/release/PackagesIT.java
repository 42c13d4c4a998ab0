/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.host.StockHadoop;
import io.trefoil.it.process.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.cpio.CpioArchiveEntry;
import org.apache.commons.compress.archivers.cpio.CpioArchiveInputStream;
import org.eclipse.packager.rpm.RpmTag;
import org.eclipse.packager.rpm.parse.InputHeader;
import org.eclipse.packager.rpm.parse.RpmInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** The packages for Debian and Red Hat, installed into a directory and removed again with these systems' own tools. */
class PackagesIT {
    private static final Path UNIT = Path.of("etc/systemd/system/trefoil-pool-node.service");

    private static final Path MAN = Path.of("usr/share/man/man1");

    @TempDir
    Path directory;

    static boolean hasDpkg() {
        return Shell.isRoot() && Shell.tryRun("command -v dpkg").exitCode() == 0;
    }

    static boolean hasRpm() {
        return Shell.isRoot() && Shell.tryRun("command -v rpm").exitCode() == 0;
    }

    @Test
    @EnabledIf("hasDpkg")
    void debianPackageIsInstalledAndRemoved() throws Exception {
        Path root = Files.createDirectories(directory.resolve("root"));
        Path state = Files.createDirectories(root.resolve("var/lib/dpkg"));
        Files.createDirectories(state.resolve("updates"));
        Files.createDirectories(state.resolve("info"));
        Files.createFile(state.resolve("status"));
        String dpkg = "dpkg --log=/dev/null --root=" + root;

        Shell.run(dpkg + " --install " + archive("deb"));
        assertMatchesArchive(root);
        // What an operator changed must not be overwritten.
        assertThat(Shell.run(dpkg + " --status trefoil")).contains("Status: install ok installed", "/" + UNIT);

        Shell.run(dpkg + " --purge trefoil");
        assertThat(root.resolve("opt/trefoil")).doesNotExist();
        assertThat(root.resolve(UNIT)).doesNotExist();
        assertThat(root.resolve(MAN).resolve("trefoil.1")).doesNotExist();
    }

    @Test
    @EnabledIf("hasRpm")
    void redHatPackageIsInstalledAndRemoved() throws Exception {
        Path root = Files.createDirectories(directory.resolve("root"));
        // The root has no shell and no other package.
        String rpm = "rpm --root " + root;

        Shell.run(rpm + " --initdb");
        Shell.run(rpm + " --install --nodeps --noscripts " + pathInside(root, archive("rpm")));
        assertMatchesArchive(root);
        assertThat(Shell.run(rpm + " --query --configfiles trefoil").trim()).isEqualTo("/" + UNIT);

        Shell.run(rpm + " --erase --noscripts trefoil");
        assertThat(root.resolve("opt/trefoil/lib")).doesNotExist();
        assertThat(root.resolve(UNIT)).doesNotExist();
        assertThat(root.resolve(MAN).resolve("trefoil.1")).doesNotExist();
    }

    /** For machines without {@code rpm}: reads the package with a library. */
    @Test
    void redHatPackageMatchesArchive() throws Exception {
        Path root = Files.createDirectories(directory.resolve("root"));
        Set<String> owners = new HashSet<>();
        try (RpmInputStream rpm = new RpmInputStream(Files.newInputStream(archive("rpm")))) {
            InputHeader<RpmTag> header = rpm.getPayloadHeader();
            assertThat(header.getTag(RpmTag.NAME)).isEqualTo("trefoil");
            assertThat(header.getTag(RpmTag.ARCH)).isEqualTo("noarch");
            // A script would run as root, for a user who only wanted files.
            for (RpmTag script : List.of(
                    RpmTag.PREINSTALL_SCRIPT,
                    RpmTag.POSTINSTALL_SCRIPT,
                    RpmTag.PREREMOVE_SCRIPT,
                    RpmTag.POSTREMOVE_SCRIPT)) {
                assertThat(header.getOptionalTag(script)).as(script.name()).isEmpty();
            }
            for (RpmTag owner : List.of(RpmTag.FILE_USERNAME, RpmTag.FILE_GROUPNAME)) {
                owners.addAll(List.of((String[]) header.getTag(owner)));
            }

            CpioArchiveInputStream files = rpm.getCpioStream();
            for (CpioArchiveEntry file = files.getNextEntry(); file != null; file = files.getNextEntry()) {
                Path at = root.resolve(file.getName().replaceFirst("^\\.?/", ""));
                if (file.isDirectory()) {
                    Files.createDirectories(at);
                } else {
                    Files.createDirectories(at.getParent());
                    Files.copy(files, at);
                    Files.setPosixFilePermissions(at, PosixFilePermissions.fromString(permissions(file.getMode())));
                }
            }
        }

        assertThat(owners).containsExactly("root");
        assertMatchesArchive(root);
    }

    private static String permissions(long mode) {
        StringBuilder text = new StringBuilder("rwxrwxrwx");
        for (int bit = 0; bit < text.length(); bit++) {
            if ((mode >> (text.length() - 1 - bit) & 1) == 0) {
                text.setCharAt(bit, '-');
            }
        }
        return text.toString();
    }

    static boolean hasSystemd() {
        return Shell.tryRun("systemd-analyze --version").exitCode() == 0;
    }

    /** What systemd can check without running: it knows every word in the units, and what they start exists. */
    @Test
    @EnabledIf("hasSystemd")
    void systemdAcceptsUnits() throws Exception {
        Path units = ReleaseArchive.ofBuild()
                .unpackInto(Files.createDirectories(directory.resolve("archive")))
                .resolve("conf/systemd");
        Path root = directory.resolve("root");
        for (String program : List.of("bin/sh", "opt/hadoop/bin/hdfs", "usr/bin/hdfs", "etc/init.d/bigtop")) {
            Path stand = root.resolve(program);
            Files.createDirectories(stand.getParent());
            Files.copy(Path.of("/bin/true"), stand);
        }
        Path others = Files.createDirectories(root.resolve("usr/lib/systemd/system"));
        Shell.run("find /usr/lib/systemd/system -maxdepth 1 -type f -exec cp -t " + others + " {} +");
        Path system = Files.createDirectories(root.resolve("etc/systemd/system"));
        Shell.run("cp -r " + units + "/. " + system);
        // The unit that systemd generates from the init script, to which our drop-in applies.
        Files.writeString(
                system.resolve("hadoop-hdfs-namenode.service"),
                """
                [Service]
                Type=forking
                PIDFile=/run/hdfs.pid
                ExecStart=/etc/init.d/bigtop start
                ExecStop=/etc/init.d/bigtop stop
                """);

        String verify = "systemd-analyze verify --man=no --root=" + root
                + " hdfs-namenode.service trefoil-pool-node.service hadoop-hdfs-namenode.service";
        assertThat(Shell.run(verify)).as("what systemd has to say").isEmpty();

        Path unit = system.resolve("hdfs-namenode.service");
        Files.writeString(unit, Files.readString(unit).replace("RestartSec=", "RestartSeconds="));
        assertThat(Shell.tryRun(verify).output()).contains("RestartSeconds");
    }

    private void assertMatchesArchive(Path root) throws Exception {
        Path archive = ReleaseArchive.ofBuild().unpackInto(Files.createDirectories(directory.resolve("archive")));
        Path installed = root.resolve("opt/trefoil");

        assertThat(files(installed)).containsExactlyElementsOf(files(archive));
        for (String file : files(archive)) {
            assertThat(installed.resolve(file)).hasSameBinaryContentAs(archive.resolve(file));
            assertThat(Files.getPosixFilePermissions(installed.resolve(file)))
                    .as(file)
                    .isEqualTo(Files.getPosixFilePermissions(archive.resolve(file)));
        }
        assertThat(files(root.resolve(MAN))).containsExactlyElementsOf(files(archive.resolve("share/man/man1")));
        assertThat(root.resolve(UNIT))
                .hasSameTextualContentAs(archive.resolve("conf/systemd/trefoil-pool-node.service"));
        assertThat(Shell.run("TREFOIL_CLASSPATH='" + installed + "/lib/server/*:"
                        + StockHadoop.fromSystemProperties().classPath().stream()
                                .map(Path::toString)
                                .collect(Collectors.joining(":"))
                        + "' " + installed + "/bin/trefoil --version"))
                .contains(ReleaseArchive.ofBuild().version());
    }

    private static List<String> files(Path root) throws IOException {
        try (Stream<Path> tree = Files.walk(root)) {
            return tree.filter(Files::isRegularFile)
                    .map(file -> root.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    private static Path archive(String type) {
        Path archive = ReleaseArchive.ofBuild().file();
        return archive.resolveSibling(
                archive.getFileName().toString().replaceFirst(Pattern.quote(".tar.gz") + "$", "." + type));
    }

    /** Some versions look for the package inside the root that they are given, others outside: so it is in both places. */
    private static Path pathInside(Path root, Path file) throws IOException {
        Path twin = root.resolve(file.toString().substring(1));
        Files.createDirectories(twin.getParent());
        Files.copy(file, twin);
        return file;
    }
}
