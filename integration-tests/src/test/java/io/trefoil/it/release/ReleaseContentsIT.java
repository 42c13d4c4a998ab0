/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trefoil.it.cluster.host.StockHadoop;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contents of a release's archive, and of what is published with it. */
class ReleaseContentsIT {
    private static final List<String> MODULES = List.of(
            "federation",
            "federation-client",
            "foundation",
            "global-checkpoint",
            "journal-ssp",
            "namenode-ha",
            "smart-client",
            "tools");

    /** In a directory of its own, which no class path has unless somebody puts it there. */
    private static final String OPTIONAL = "journal-bookkeeper";

    /** The libraries in that jar which do not say their version there, or only that of a copy inside another one. */
    private static final Map<String, String> VERSIONS = Map.of(
            "circe-checksum", "4.17.3",
            "cpu-affinity", "4.17.3",
            "hppc", "0.9.1",
            "jcommander", "1.82",
            "jctools-core", "2.1.2",
            "protobuf-java", "3.25.5");

    private static final Pattern OUR_CLASS = Pattern.compile("io\\.trefoil\\.[\\w.]+\\.[A-Z]\\w*");

    /** The target of a link, without web addresses, and without the anchor. */
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#\\s]+)[^)]*\\)");

    /** A block of code, which has brackets of its own. */
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```");

    /** The name of a property in a file of Hadoop's format. */
    private static final Pattern NAME = Pattern.compile("<name>\\s*([^<\\s]+)\\s*</name>");

    private static final int CLASS_VERSION_OF_JAVA_8 = 52;

    private static final ReleaseArchive ARCHIVE = ReleaseArchive.ofBuild();

    @TempDir
    static Path directory;

    private static Path home;

    @BeforeAll
    static void unpack() throws Exception {
        home = ARCHIVE.unpackInto(directory);
    }

    @Test
    void archiveHasOneDirectoryWithAllInstalledFiles() throws Exception {
        assertThat(ReleaseArchive.namesIn(directory)).containsExactly("trefoil-" + ARCHIVE.version());
        assertThat(ReleaseArchive.namesIn(home))
                .containsExactly(
                        "CHANGELOG.md",
                        "CONTRIBUTING.md",
                        "LICENSE",
                        "NOTICE",
                        "README.md",
                        "SECURITY.md",
                        "bin",
                        "conf",
                        "containers",
                        "docs",
                        "lib",
                        "monitoring",
                        "sbom.json",
                        "share");
        assertThat(ReleaseArchive.namesIn(home.resolve("conf/examples")))
                .containsExactly("failover", "federation", "quickstart", "secure", "subtrees");
        assertThat(ReleaseArchive.namesIn(home.resolve("share/man/man1")))
                .contains("trefoil.1", "trefoil-status.1", "trefoil-checkpoint-restore.1");
    }

    @Test
    void archiveHasServerAndClientJars() throws Exception {
        for (String lib : List.of("lib", "lib/hadoop-3.1")) {
            assertThat(ReleaseArchive.namesIn(home.resolve(lib).resolve("server")))
                    .containsExactlyElementsOf(
                            MODULES.stream().map(ReleaseContentsIT::jarOf).toList());
            assertThat(ReleaseArchive.namesIn(home.resolve(lib).resolve("client")))
                    .containsExactly(jarOf("federation-client"), jarOf("smart-client"));
        }
        assertThat(ReleaseArchive.namesIn(home.resolve("lib")))
                .containsExactly("bookkeeper", "client", "hadoop-3.1", "server");
        assertThat(ReleaseArchive.namesIn(home.resolve("lib/bookkeeper"))).containsExactly(jarOf(OPTIONAL));
    }

    @Test
    void pageLinksStayInsideArchive() throws Exception {
        try (Stream<Path> tree = Files.walk(home)) {
            for (Path page :
                    tree.filter(file -> file.toString().endsWith(".md")).toList()) {
                String text = BLOCK.matcher(Files.readString(page)).replaceAll("");
                assertThat(LINK.matcher(text).results().map(link -> link.group(1)))
                        .as(home.relativize(page).toString())
                        .allSatisfy(target ->
                                assertThat(page.resolveSibling(target)).exists());
            }
        }
    }

    @Test
    void archiveOmitsModesAndOwnersOfBuilder() throws Exception {
        for (String line : ARCHIVE.listing()) {
            String expected =
                    line.startsWith("d") ? "drwxr-xr-x" : line.contains("/bin/") ? "-rwxr-xr-x" : "-rw-r--r--";

            assertThat(line).startsWith(expected + " 0/0 ");
        }
    }

    @Test
    void clientJarsNeedOnlyHadoopAndJdk() throws Exception {
        Path smart = home.resolve("lib/client").resolve(jarOf("smart-client"));
        requireSelfContained(smart, smart, "io.trefoil.client.hdfs.SmartFailoverProxyProvider");
        requireSelfContained(
                home.resolve("lib/client").resolve(jarOf("federation-client")),
                smart,
                "io.trefoil.federation.client.hdfs.SubtreeFileSystem");
    }

    private static void requireSelfContained(Path jar, Path directory, String has) throws Exception {
        List<URL> urls = new ArrayList<>();
        urls.add(jar.toUri().toURL());
        urls.add(directory.toUri().toURL());
        for (Path stock : StockHadoop.fromSystemProperties().classPath()) {
            urls.add(stock.toUri().toURL());
        }
        try (URLClassLoader loader =
                        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
                JarFile file = new JarFile(jar.toFile())) {
            List<String> classes = file.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.endsWith(".class"))
                    .map(name -> name.replace(".class", "").replace('/', '.'))
                    .toList();

            assertThat(classes).contains(has);
            for (String name : classes) {
                Class<?> loaded = Class.forName(name, false, loader);
                // Resolves every type in a signature, or fails.
                assertThat(loaded.getDeclaredMethods()).as(name).isNotNull();
                assertThat(loaded.getDeclaredFields()).as(name).isNotNull();
            }
        }
    }

    /**
     * Hadoop 3.4 may run on Java 8. The compiler, with {@code --release 8}, ensures that nothing newer of the JDK is
     * called; this test checks the classes in the jars, wherever they came from.
     */
    @Test
    void java8LoadsEveryClass() throws Exception {
        List<String> tooNew = new ArrayList<>();
        for (Path directoryOfJars : List.of(
                home.resolve("lib/server"),
                home.resolve("lib/bookkeeper"),
                home.resolve("lib/client"),
                home.resolve("lib/hadoop-3.1/server"))) {
            for (String jar : ReleaseArchive.namesIn(directoryOfJars)) {
                try (JarFile file = new JarFile(directoryOfJars.resolve(jar).toFile())) {
                    for (JarEntry entry : file.stream()
                            .filter(one -> one.getName().endsWith(".class"))
                            .toList()) {
                        try (DataInputStream in = new DataInputStream(file.getInputStream(entry))) {
                            in.readInt();
                            in.readUnsignedShort();
                            int version = in.readUnsignedShort();
                            if (version > CLASS_VERSION_OF_JAVA_8) {
                                tooNew.add(jar + "!" + entry.getName() + " " + version);
                            }
                        }
                    }
                }
            }
        }

        assertThat(tooNew).isEmpty();
    }

    @Test
    void examplesAreValidAndNameExistingClasses() throws Exception {
        List<String> ours = classesOfServers();
        for (String example : ReleaseArchive.namesIn(home.resolve("conf/examples"))) {
            Path at = home.resolve("conf/examples").resolve(example);
            Configuration conf = new Configuration(false);
            for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
                conf.addResource(new org.apache.hadoop.fs.Path(at.resolve(file).toUri()));
            }

            assertThat(conf.get("fs.defaultFS")).as(example).startsWith("hdfs://ns1");
            // With what the files include from our jars.
            Stream<String> values =
                    StreamSupport.stream(conf.spliterator(), false).map(property -> conf.get(property.getKey(), ""));
            assertThat(values.flatMap(
                            value -> OUR_CLASS.matcher(value).results().map(MatchResult::group)))
                    .as(example)
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(ours).contains(name));
        }
    }

    @Test
    void examplesSetOnlyExistingProperties() throws Exception {
        // Hadoop reads these, and its files of defaults do not have them.
        List<String> known =
                new ArrayList<>(List.of("fs.getspaceused.classname", "fs.hdfs.impl", "fs.viewfs.mounttable.path"));
        for (String defaults : List.of(
                "core-default.xml",
                "hdfs-default.xml",
                "trefoil-journal-default.xml",
                "trefoil-ha-default.xml",
                "trefoil-checkpoint-default.xml",
                "trefoil-archive-default.xml",
                "trefoil-federation-default.xml")) {
            try (InputStream in = getClass().getResourceAsStream("/" + defaults)) {
                // Not by Configuration, which omits properties without a default.
                NAME.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .results()
                        .forEach(name -> known.add(name.group(1)));
            }
        }
        try (Stream<Path> tree = Files.walk(home.resolve("conf/examples"))) {
            for (Path file :
                    tree.filter(one -> one.toString().endsWith("-site.xml")).toList()) {
                assertThat(NAME.matcher(Files.readString(file)).results().map(name -> name.group(1)))
                        .as(file.toString())
                        .isNotEmpty()
                        .map(name -> name.replaceFirst("\\.(ns\\d.*|ssp)$", ""))
                        // Hadoop's file has some with the suffix of an example.
                        .allMatch(
                                name -> known.stream().anyMatch(one -> one.equals(name) || one.startsWith(name + ".")));
            }
        }
    }

    @Test
    void secureExampleNamesHdfsAccessLists() {
        Configuration example = new Configuration(false);
        example.addResource(new org.apache.hadoop.fs.Path(
                home.resolve("conf/examples/secure/hadoop-policy.xml").toUri()));
        List<String> services = Stream.of(new HDFSPolicyProvider().getServices())
                .map(org.apache.hadoop.security.authorize.Service::getServiceKey)
                .toList();

        assertThat(propertyNames(example)).isNotEmpty().isSubsetOf(services);
    }

    private static List<String> propertyNames(Configuration conf) {
        return StreamSupport.stream(conf.spliterator(), false)
                .map(Map.Entry::getKey)
                .toList();
    }

    @Test
    void sbomListsJarsAndBundledLibraries() throws Exception {
        JsonNode sbom = new ObjectMapper().readTree(home.resolve("sbom.json").toFile());
        List<String> names = new ArrayList<>();
        List<String> refs = new ArrayList<>();
        Map<String, String> inside = new TreeMap<>(VERSIONS);
        inside.put("picocli", versionInPom("picocli"));
        inside.put("datasketches-java", versionInPom("datasketches"));
        librariesOfOptionalJar().forEach(inside::putIfAbsent);
        for (JsonNode component : sbom.get("components")) {
            String name = component.get("name").asText();
            String version = component.get("version").asText();
            String purl = "pkg:maven/" + component.get("group").asText() + "/" + name + "@" + version + "?type=jar";
            assertThat(component.get("purl").asText()).isEqualTo(purl);
            assertThat(version).isEqualTo(inside.getOrDefault(name, ARCHIVE.version()));
            names.add(name);
            refs.add(component.get("bom-ref").asText());
        }

        assertThat(sbom.get("bomFormat").asText()).isEqualTo("CycloneDX");
        assertThat(names)
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(publishedModules().map(module -> "trefoil-" + module), inside.keySet().stream())
                                .toList());
        refs.add(sbom.at("/metadata/component/bom-ref").asText());
        assertThat(sbom.findValuesAsText("ref")).containsExactlyInAnyOrderElementsOf(refs);
        assertThat(sbom.findValues("dependsOn").stream()
                        .flatMap(one -> StreamSupport.stream(one.spliterator(), false))
                        .map(JsonNode::asText))
                .isSubsetOf(refs);
    }

    @Test
    void jarsBundleOnlyListedLibraries() throws Exception {
        assertThat(classesOfServers().stream()
                        .filter(name -> !isOurs(name))
                        .map(name -> name.replaceFirst("^(io\\.trefoil\\.shaded\\.\\w+)\\..*", "$1"))
                        .distinct())
                .containsExactlyInAnyOrder("io.trefoil.shaded.datasketches", "io.trefoil.shaded.picocli");
        try (JarFile optional = openOptionalJar()) {
            assertThat(optional.stream()
                            .map(JarEntry::getName)
                            .filter(name -> !name.endsWith("/"))
                            .map(name ->
                                    name.replaceFirst("^(META-INF|io/trefoil/(journal|shaded)/bookkeeper)/.*", "$1"))
                            .distinct())
                    .containsExactlyInAnyOrder(
                            "META-INF", "io/trefoil/journal/bookkeeper", "io/trefoil/shaded/bookkeeper");
        }
    }

    private static JarFile openOptionalJar() throws IOException {
        return new JarFile(
                home.resolve("lib/bookkeeper").resolve(jarOf(OPTIONAL)).toFile());
    }

    /** The libraries with their versions, as their own files in the jar say, without a copy of Guava's that has none of its code. */
    private static Map<String, String> librariesOfOptionalJar() throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (JarFile jar = openOptionalJar()) {
            for (JarEntry entry : jar.stream()
                    .filter(each -> each.getName().endsWith("/pom.properties"))
                    .toList()) {
                Properties properties = new Properties();
                properties.load(jar.getInputStream(entry));
                found.put(properties.getProperty("artifactId"), properties.getProperty("version"));
            }
        }
        found.remove("listenablefuture");
        found.remove("trefoil-" + OPTIONAL);
        return found;
    }

    private static Stream<String> publishedModules() {
        return Stream.concat(MODULES.stream(), Stream.of(OPTIONAL));
    }

    private static String versionInPom(String library) throws IOException {
        return Files.readString(Path.of("../pom.xml")).replaceFirst("(?s).*<" + library + ".version>(.*?)<.*", "$1");
    }

    /** A few of our classes are in packages of Hadoop. */
    private static boolean isOurs(String name) {
        String source = "src/main/java/" + name.replaceFirst("\\$.*", "").replace('.', '/') + ".java";
        boolean isBelowOurs = name.startsWith("io.trefoil.") && !name.startsWith("io.trefoil.shaded.");
        return isBelowOurs
                || MODULES.stream()
                        .anyMatch(module -> Files.exists(Path.of("..", module).resolve(source)));
    }

    @Test
    void bomListsEachJarInBuildVersion() throws Exception {
        String bom = Files.readString(Path.of("../dist/bom/pom.xml"));

        assertThat(bom).contains("<version>" + ARCHIVE.version() + "</version>");
        assertThat(Pattern.compile("<artifactId>trefoil-([\\w-]+)</artifactId>\\s*<version>\\$\\{project.version}")
                        .matcher(bom)
                        .results()
                        .map(match -> match.group(1)))
                .containsExactlyInAnyOrderElementsOf(publishedModules().toList());
    }

    @Test
    void bigtopDropInMatchesUnit() throws Exception {
        Path units = home.resolve("conf/systemd");
        String unit = Files.readString(units.resolve("hdfs-namenode.service"));
        String dropIn = Files.readString(units.resolve("hadoop-hdfs-namenode.service.d/trefoil.conf"));

        List<String> ours = serviceLines(unit).stream()
                .filter(line -> !line.startsWith("Environment="))
                .map(line -> line.replace("/opt/hadoop/bin/", "/usr/bin/"))
                .toList();

        assertThat(serviceLines(dropIn)).containsAll(ours);
    }

    private static List<String> classesOfServers() throws Exception {
        List<String> classes = new ArrayList<>();
        for (String jar : ReleaseArchive.namesIn(home.resolve("lib/server"))) {
            try (JarFile file =
                    new JarFile(home.resolve("lib/server").resolve(jar).toFile())) {
                file.stream()
                        .map(JarEntry::getName)
                        .filter(name -> name.endsWith(".class"))
                        .map(name -> name.replace(".class", "").replace('/', '.'))
                        .forEach(classes::add);
            }
        }
        return classes;
    }

    private static String jarOf(String module) {
        return "trefoil-" + module + "-" + ARCHIVE.version() + ".jar";
    }

    /** The lines of the unit's service section. */
    private static List<String> serviceLines(String unit) {
        return unit.lines()
                .dropWhile(line -> !line.equals("[Service]"))
                .skip(1)
                .takeWhile(line -> !line.startsWith("["))
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }
}
