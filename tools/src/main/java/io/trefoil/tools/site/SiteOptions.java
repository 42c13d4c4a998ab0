/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that both commands share: the file, and whether to change it. */
final class SiteOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "The file to change; hdfs-site.xml in $HADOOP_CONF_DIR if not given.")
    private Path named;

    @Option(names = "--execute", description = "Do it, instead of only showing what would be changed.")
    private boolean execute;

    @Option(names = "--json", description = "Print JSON instead of text.")
    private boolean json;

    /** Computes the new text of a file. */
    interface SiteChange {
        SiteText apply(SiteText text);
    }

    /**
     * Shows the change, and makes it if that was requested.
     *
     * @param result the text to print for a file that needs no change
     * @param notes read after the change was computed
     */
    int change(SiteChange change, String result, List<String> notes) throws IOException {
        SiteFile file = read();
        SiteText next = computeOrRefuse(() -> change.apply(file.text()));
        String diff = new TextDiff(file.file().toString(), file.text().toString(), next.toString()).toString();
        Optional<Path> backup =
                execute && !diff.isEmpty() ? Optional.of(file.replaceWith(next.toString())) : Optional.empty();
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("file", file.file().toString());
            fields.put("differs", !diff.isEmpty());
            fields.put("executed", backup.isPresent());
            fields.put("backup", backup.map(Path::toString).orElse(null));
            fields.put("diff", diff);
            fields.put("notes", notes);
            out.print(Json.text(fields));
        } else if (diff.isEmpty()) {
            out.println(file.file() + ": " + result);
        } else {
            out.print(diff);
            notes.forEach(out::println);
            out.println(backup.map(old -> file.file() + " changed; the old one is " + old)
                    .orElse("Nothing was changed; --execute does it."));
        }
        return ExitCode.FINE;
    }

    private SiteFile read() throws IOException {
        Path file = Optional.ofNullable(named)
                .orElseGet(() -> Paths.get(Optional.ofNullable(System.getenv("HADOOP_CONF_DIR"))
                                .orElseThrow(() -> new ParameterException(
                                        spec.commandLine(), "HADOOP_CONF_DIR is not set: name the file with --file")))
                        .resolve("hdfs-site.xml"));
        if (!Files.isRegularFile(file)) {
            throw new ParameterException(spec.commandLine(), "There is no file " + file);
        }
        try {
            return SiteFile.read(file);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private interface Computation {
        SiteText get();
    }

    private SiteText computeOrRefuse(Computation computation) {
        try {
            return computation.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
