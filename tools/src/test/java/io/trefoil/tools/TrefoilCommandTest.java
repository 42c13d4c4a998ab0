/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.output.ExitCode;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Help, completion, and command lines that make no sense. */
class TrefoilCommandTest {
    private final FakePool pool = new FakePool(3);

    @Test
    void everyCommandHasHelpWithItsExitCodes() {
        assertThat(pool.run("--help")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .contains("Usage: hdfs trefoil [-hV] COMMAND", "journal", "generate-completion", "checkpoint");
        assertThat(pool.run("journal", "--help")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("status", "verify", "export");
        for (String command : List.of("status", "verify", "export")) {
            assertThat(pool.run("journal", command, "--help")).isEqualTo(ExitCode.FINE);
            assertThat(pool.output).contains("Exit codes:", "--journal", "--timeout", "--json", "5 if not given");
        }
    }

    @Test
    void helpListsExitCodeForUnresponsiveServers() {
        for (String command : List.of("undrain", "prefer", "journal unpin", "journal pin", "checkpoint", "group add")) {
            assertThat(pool.run((command + " --help").split(" "))).isEqualTo(ExitCode.FINE);
            assertThat(pool.output).as(command).containsPattern("\\n +3 +(no|nobody) ");
        }
    }

    @Test
    void everyCommandAcceptsItsExamples() {
        List<String> examples = new ArrayList<>();
        addExamples(TrefoilCommand.newCommandLine(pool), examples);

        assertThat(examples).hasSizeGreaterThan(30).allSatisfy(example -> {
            CommandLine line = TrefoilCommand.newCommandLine(pool);
            String own = example.replaceAll(" \\|.*", "").replace("-conf other/hdfs-site.xml ", "");
            assertThatCode(() -> line.parseArgs(own.split(" "))).as(example).doesNotThrowAnyException();
        });
    }

    private static void addExamples(CommandLine command, List<String> examples) {
        List<String> own = Stream.of(command.getCommandSpec().usageMessage().footer())
                .filter(line -> line.startsWith("  hdfs trefoil "))
                .map(line -> line.substring("  hdfs trefoil ".length()))
                .toList();
        boolean isGroup = !command.getSubcommands().isEmpty();
        assertThat(own.isEmpty() && !isGroup)
                .as("no example of " + command.getCommandName())
                .isFalse();
        examples.addAll(own);
        command.getSubcommands().values().forEach(below -> addExamples(below, examples));
    }

    @Test
    void printsVersion() {
        assertThat(pool.run("--version")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).startsWith("trefoil ");
    }

    @Test
    void completionWorksForTrefoilAndHdfs(@TempDir Path directory) throws Exception {
        assertThat(pool.run("generate-completion")).isEqualTo(ExitCode.FINE);
        Path script = Files.writeString(directory.resolve("completion"), pool.output);

        assertThat(completeLastWord(script, "", "trefoil journal st")).isEqualTo("status");
        assertThat(completeLastWord(script, "", "hdfs trefoil journal st")).isEqualTo("status");
        assertThat(completeLastWord(script, "", "hdfs trefoil journal status --max"))
                .isEqualTo("--max-lag");
        assertThat(completeLastWord(script, "", "hdfs tre")).isEqualTo("trefoil");
        assertThat(completeLastWord(script, "", "hdfs dfs -l")).isEmpty();
    }

    @Test
    void keepsExistingHdfsCompletion(@TempDir Path directory) throws Exception {
        assertThat(pool.run("generate-completion")).isEqualTo(ExitCode.FINE);
        Path script = Files.writeString(directory.resolve("completion"), pool.output);
        String before = "_vendor() { COMPREPLY=(of-the-vendor); }; complete -F _vendor hdfs;";

        assertThat(completeLastWord(script, before, "hdfs df")).isEqualTo("of-the-vendor");
        assertThat(completeLastWord(script, before, "hdfs trefoil vi")).isEqualTo("view");
    }

    /** What bash offers for the last word of a line. */
    private static String completeLastWord(Path script, String before, String line) throws Exception {
        // Without a Tab there are no options of completion to change.
        String commands = "compopt() { :; }; " + before
                + "source \"$1\"; COMP_WORDS=($2); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=$2; COMP_POINT=${#2};"
                + "$(complete -p ${COMP_WORDS[0]} | sed 's/.* -F \\([^ ]*\\) .*/\\1/'); echo ${COMPREPLY[@]}";
        Process bash = new ProcessBuilder("bash", "--norc", "-c", commands, "bash", script.toString(), line)
                .redirectErrorStream(true)
                .start();
        String offered = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).isZero();
        return offered.trim();
    }

    @Test
    void rejectsInvalidCommandLinesBeforeContactingServers() {
        assertThat(pool.run()).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).startsWith("Wanted a command: journal, image, archive, renew, status,");
        assertThat(pool.run("journal")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).startsWith("Wanted a command: status, verify, repair,");
        assertThat(pool.run("sttus")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).startsWith("There is no command 'sttus'; did you mean status");
        assertThat(pool.run("status", "--jsn")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).startsWith("Unknown option: '--jsn'; did you mean --json");
        assertThat(pool.run("journal", "destroy")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("destroy", "Try 'hdfs trefoil journal --help'.");
        assertThat(pool.run("help")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).startsWith("Wanted a command: journal, image,");
        assertThat(pool.run("status", "nn1")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).startsWith("'nn1' is one word too many");
        assertThat(pool.run("status", "-conf", "hdfs-site.xml")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("before the command: hdfs trefoil -conf ...");
        assertThat(pool.run("status", "-Da=b")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("before the command: hdfs trefoil -Da=b ...");
        assertThat(pool.run("journal", "add", "http://host4:8487")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("Wanted host:port, found 'http://host4:8487'");
        assertThat(pool.run("journal", "status", "--max-lag", "many")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--max-lag");
        assertThat(pool.run("journal", "status", "--timeout", "3s")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("'--timeout': wanted SECONDS, a whole number, found '3s'");
        assertThat(pool.run("journal", "status", "--timeout", "0")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--timeout is between 1 and 3600 seconds, got 0");
        assertThat(pool.run("journal", "status", "--max-lag", "-5")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--max-lag is at least 0 entries, got -5");
        assertThat(pool.run("history", "--last", "0")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--last is at least 1, got 0");
        assertThat(pool.run("view", "--watch", "-1")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--watch is at least 1 second, got -1");
        assertThat(pool.output).isEmpty();
    }

    @Test
    void reportsInvalidConfigurationInOneLine() {
        for (String command : List.of("list", "prune", "create")) {
            assertThat(pool.run("checkpoint", command)).isEqualTo(ExitCode.USAGE);
            assertThat(pool.errors)
                    .isEqualTo("There are no checkpoints here%nTry 'hdfs trefoil checkpoint %s --help'.%n", command);
        }
        assertThat(pool.run("journal", "status", "--journal", "none")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).startsWith("Wanted one journal named 'none'").hasLineCount(2);
    }

    @Test
    void hostCommandsReportWrongHostInTwoLines() {
        pool.checkpoints = () -> fakeCheckpoints((method, arguments) -> {
            throw new IllegalArgumentException(method.equals("requireNameNode") ? "This is no host" : "a bug");
        });

        for (String line : List.of("restore c", "restore c --undo", "verify c --deep")) {
            assertThat(pool.run(("checkpoint " + line).split(" "))).isEqualTo(ExitCode.USAGE);
            assertThat(pool.errors).startsWith("This is no host").hasLineCount(2);
        }
    }

    @Test
    void unexpectedExceptionIsNotReportedAsUsageError() {
        pool.checkpoints = () -> fakeCheckpoints((method, arguments) -> {
            throw new IllegalArgumentException("a bug in " + method);
        });

        assertThat(pool.run("checkpoint", "list")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors)
                .contains(IllegalArgumentException.class.getName() + ": a bug in manifests", "at io.trefoil.tools.")
                .doesNotContain("--help");

        pool.bug = Optional.of(new IllegalArgumentException("a bug in an answer"));
        assertThat(pool.run("journal", "status")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors)
                .contains("a bug in an answer", "at io.trefoil.tools.")
                .doesNotContain("--help");
    }

    private interface CallHandler {
        Object call(String method, Object[] arguments);
    }

    private static Checkpoints fakeCheckpoints(CallHandler handler) {
        return (Checkpoints) Proxy.newProxyInstance(
                Checkpoints.class.getClassLoader(),
                new Class<?>[] {Checkpoints.class},
                (self, method, arguments) -> handler.call(method.getName(), arguments));
    }
}
