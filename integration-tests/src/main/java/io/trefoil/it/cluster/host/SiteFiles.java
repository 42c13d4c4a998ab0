/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/** The configuration directory of one server, as an operator would write it. */
public final class SiteFiles {
    private SiteFiles() {}

    /**
     * Writes {@code hdfs-site.xml}, {@code yarn-site.xml}, {@code mapred-site.xml}, {@code core-site.xml} and
     * {@code log4j.properties} into the directory. Each property goes into the file where the defaults of its component do
     * not hide it; properties that begin with {@code *.} belong to the metrics system and go to
     * {@code hadoop-metrics2.properties}.
     */
    public static void write(Path directory, Map<String, String> properties, Path logFile) {
        try {
            Predicate<String> ofHdfs = key -> key.startsWith("dfs.") || key.startsWith("trefoil.");
            Predicate<String> ofMapReduce =
                    key -> key.startsWith("mapreduce.") || key.startsWith("yarn.app.mapreduce.");
            Predicate<String> ofMetrics = key -> key.startsWith("*.");
            Predicate<String> ofYarn = key -> key.startsWith("yarn.") && !ofMapReduce.test(key);
            writeSite(directory.resolve("hdfs-site.xml"), properties, ofHdfs);
            writeSite(directory.resolve("mapred-site.xml"), properties, ofMapReduce);
            writeSite(directory.resolve("yarn-site.xml"), properties, ofYarn);
            writeSite(
                    directory.resolve("core-site.xml"),
                    properties,
                    ofHdfs.or(ofMapReduce).or(ofYarn).or(ofMetrics).negate());
            replace(
                    directory.resolve("hadoop-metrics2.properties"),
                    properties.entrySet().stream()
                            .filter(property -> ofMetrics.test(property.getKey()))
                            .map(property -> property.getKey() + "=" + property.getValue() + "\n")
                            .collect(Collectors.joining()));
            replace(directory.resolve("log4j.properties"), loggingProperties(logFile));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void writeSite(Path file, Map<String, String> properties, Predicate<String> belongsHere)
            throws IOException {
        Configuration site = new Configuration(false);
        properties.forEach((key, value) -> {
            if (belongsHere.test(key)) {
                site.set(key, value);
            }
        });
        StringWriter xml = new StringWriter();
        site.writeXml(xml);
        replace(file, xml.toString());
    }

    /** Writes a file atomically, as a server that is starting must not read half a file. */
    private static void replace(Path file, String content) throws IOException {
        Path draft = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".draft");
        Files.writeString(draft, content);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static String loggingProperties(Path logFile) {
        return """
                log4j.rootLogger=INFO,file
                log4j.appender.file=org.apache.log4j.FileAppender
                log4j.appender.file.File=%s
                log4j.appender.file.Append=true
                log4j.appender.file.layout=org.apache.log4j.PatternLayout
                log4j.appender.file.layout.ConversionPattern=%%d{ISO8601} %%p [%%t] %%c{2}: %%m%%n
                # One line per operation would make the disk the thing that is measured.
                log4j.logger.org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit=OFF
                log4j.logger.BlockStateChange=WARN
                log4j.logger.org.apache.hadoop.hdfs.StateChange=WARN
                log4j.logger.org.apache.hadoop.hdfs.server.datanode.DataNode.clienttrace=WARN
                """
                .formatted(logFile);
    }
}
