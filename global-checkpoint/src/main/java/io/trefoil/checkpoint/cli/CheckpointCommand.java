/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.cli.Arguments.WrongException;
import io.trefoil.checkpoint.json.Documents;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.restore.LostFile;
import io.trefoil.checkpoint.restore.RestorePlan;
import io.trefoil.journal.cli.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** {@code hdfs trefoil checkpoint}: points in time of a whole federation. */
public final class CheckpointCommand {

    private static final DateTimeFormatter NAME_OF_TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private static final String JSON = "--json";

    private static final String EXECUTE = "--execute";

    private static final String HELP = "Usage: trefoil checkpoint COMMAND [--json]\n"
            + "Points in time to which all nameservices of a federation can go back together.\n"
            + "  create [--name NAME] [--nameservices A,B] [--protect-data]\n"
            + "              makes one of all nameservices, or of those named; --protect-data also takes a snapshot of\n"
            + "              each root, so that blocks of files deleted later are kept\n"
            + "  list        all, and whether each is complete\n"
            + "  show ID     one of them, by its id, or by its name if there is one of that name\n"
            + "  verify ID   reads the edits that it needs, and has every NameNode read its image\n"
            + "  delete ID   takes it back in all its nameservices: nothing is kept for it any more\n"
            + "  restore ID [--execute] [--alone]\n"
            + "              on the host of a NameNode: says what the way back to it does there, and does it with --execute,\n"
            + "              while all NameNodes of the checkpoint are stopped; --alone takes back this host's nameservice\n"
            + "              without the others\n"
            + "\n"
            + "Exit codes:\n"
            + "  0   it was done, or all is in order\n"
            + "  1   something was found or could not be done; what was printed says what\n"
            + "  2   the command line or the configuration is wrong\n";

    private final Checkpoints checkpoints;
    private final PrintWriter out;
    private boolean json;

    private CheckpointCommand(Checkpoints checkpoints, PrintWriter out) {
        this.checkpoints = checkpoints;
        this.out = out;
    }

    /**
     * Runs one command.
     *
     * @param out for what was asked for
     * @param err for what went wrong
     * @return an {@link ExitCode}
     */
    public static int run(Checkpoints checkpoints, PrintWriter out, PrintWriter err, String... arguments) {
        int code;
        try {
            code = new CheckpointCommand(checkpoints, out).run(Arrays.asList(arguments));
        } catch (WrongException | IllegalArgumentException e) {
            err.println(e.getMessage());
            err.println("Try 'trefoil checkpoint --help'.");
            code = ExitCode.USAGE;
        } catch (IOException e) {
            err.println(e.getMessage());
            code = ExitCode.FINDING;
        }
        out.flush();
        err.flush();
        return code;
    }

    private int run(List<String> words) throws WrongException, IOException {
        if (words.isEmpty()) {
            throw new WrongException("A command is missing");
        }
        List<String> rest = words.subList(1, words.size());
        switch (words.get(0)) {
            case "create":
                return create(parse(
                        rest,
                        new HashSet<>(Arrays.asList(JSON, "--protect-data")),
                        new HashSet<>(Arrays.asList("--name", "--nameservices"))));
            case "list":
                return list(parse(rest, Collections.singleton(JSON), Collections.<String>emptySet()));
            case "show":
                return show(parse(rest, Collections.singleton(JSON), Collections.<String>emptySet()));
            case "verify":
                return verify(parse(rest, Collections.singleton(JSON), Collections.<String>emptySet()));
            case "delete":
                return delete(parse(rest, Collections.singleton(JSON), Collections.<String>emptySet()));
            case "restore":
                return restore(parse(
                        rest, new HashSet<>(Arrays.asList(JSON, EXECUTE, "--alone")), Collections.<String>emptySet()));
            case "-h":
            case "--help":
                out.print(HELP);
                return ExitCode.FINE;
            default:
                throw new WrongException("Unknown command: '" + words.get(0) + "'");
        }
    }

    private Arguments parse(List<String> words, Set<String> flags, Set<String> values) throws WrongException {
        Arguments arguments = Arguments.parse(words, flags, values);
        json = arguments.has(JSON);
        return arguments;
    }

    private int create(Arguments arguments) throws WrongException, IOException {
        requireRest(arguments, 0);
        Set<String> nameservices = nameservices(arguments);
        String name = arguments.value("--name").orElseGet(() -> NAME_OF_TIME.format(Instant.now()));
        CheckpointId id = CheckpointId.of(name, UUID.randomUUID().toString().substring(0, 8));
        JsonNode answer = checkpoints.create(id, nameservices, arguments.has("--protect-data"));
        String outcome = answer.path("outcome").asText();
        if (json) {
            out.println(answer.toPrettyString());
        } else if (outcome.equals("COMPLETE")) {
            List<Manifest> manifests = new ArrayList<>();
            for (JsonNode manifest : answer.path("manifests")) {
                manifests.add(Documents.manifest(manifest));
            }
            out.print(text(Checkpoint.assemble(manifests).get(0)));
        } else {
            out.println("checkpoint " + id + ": "
                    + (outcome.equals("FAILED")
                            ? "failed, it counts nowhere; "
                            : "it is not known whether it counts, \"list\" tells; ")
                    + answer.path("reason").asText());
        }
        return outcome.equals("COMPLETE") ? ExitCode.FINE : ExitCode.FINDING;
    }

    private Set<String> nameservices(Arguments arguments) throws WrongException {
        Set<String> all = checkpoints.nameservices();
        if (!arguments.value("--nameservices").isPresent()) {
            if (all.isEmpty()) {
                throw new WrongException("The configuration has no nameservice with several NameNodes");
            }
            return all;
        }
        Set<String> wanted = new TreeSet<>();
        for (String one : arguments.value("--nameservices").get().split(",")) {
            if (!all.contains(one.trim())) {
                throw new WrongException(
                        "Wanted nameservices out of " + all + ", got '" + one.trim() + "' in --nameservices");
            }
            wanted.add(one.trim());
        }
        return wanted;
    }

    private int list(Arguments arguments) throws WrongException, IOException {
        requireRest(arguments, 0);
        List<Checkpoint> all = Checkpoint.assemble(checkpoints.manifests());
        if (json) {
            ObjectNode object = Documents.object();
            ArrayNode array = object.putArray("checkpoints");
            all.forEach(one -> array.add(json(one)));
            out.println(object.toPrettyString());
            return ExitCode.FINE;
        }
        for (Checkpoint one : all) {
            out.println(line(one));
        }
        out.println(all.size() + (all.size() == 1 ? " checkpoint" : " checkpoints"));
        return ExitCode.FINE;
    }

    private int show(Arguments arguments) throws WrongException, IOException {
        Checkpoint one = find(arguments);
        out.print(json ? json(one).toPrettyString() + "\n" : text(one));
        return one.isComplete() ? ExitCode.FINE : ExitCode.FINDING;
    }

    private int verify(Arguments arguments) throws WrongException, IOException {
        Checkpoint one = find(arguments);
        Map<String, List<String>> findings = new TreeMap<>();
        for (String nameservice : one.missing()) {
            findings.put(nameservice, Collections.singletonList("no barrier: the checkpoint counts nowhere"));
        }
        for (Manifest part : one.manifests().values()) {
            List<String> found = checkpoints.findings(one, part);
            if (!found.isEmpty()) {
                findings.put(part.cut().nameservice(), found);
            }
        }
        if (json) {
            ObjectNode object = json(one);
            ObjectNode all = object.putObject("findings");
            findings.forEach((nameservice, texts) -> {
                ArrayNode array = all.putArray(nameservice);
                texts.forEach(array::add);
            });
            out.println(object.toPrettyString());
        } else {
            out.print(text(one));
            findings.forEach((nameservice, texts) -> texts.forEach(text -> out.println(nameservice + ": " + text)));
            out.println(findings.isEmpty() ? "everything that it needs is there" : "it cannot be relied on");
        }
        return findings.isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
    }

    private int delete(Arguments arguments) throws WrongException, IOException {
        Checkpoint one = find(arguments);
        List<String> failures = new ArrayList<>();
        for (String nameservice : one.manifests().keySet()) {
            try {
                checkpoints.delete(one.agreement().id(), nameservice);
            } catch (IOException e) {
                failures.add(nameservice + ": " + e.getMessage());
            }
        }
        if (json) {
            ObjectNode object =
                    Documents.object().put("id", one.agreement().id().toString());
            ArrayNode array = object.putArray("failures");
            failures.forEach(array::add);
            out.println(object.toPrettyString());
        } else {
            out.println("checkpoint " + one.agreement().id()
                    + (failures.isEmpty() ? ": deleted" : ": not deleted everywhere; run it again. " + failures));
        }
        return failures.isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
    }

    private int restore(Arguments arguments) throws WrongException, IOException {
        Checkpoint one = find(arguments);
        RestorePlan plan = checkpoints.planRestore(one, arguments.has("--alone"));
        RestoreText text = new RestoreText(plan);
        if (arguments.has(EXECUTE)) {
            return execute(plan, text);
        }
        Optional<List<LostFile>> losses =
                plan.refusals().isEmpty() ? checkpoints.losses(plan) : Optional.<List<LostFile>>empty();
        out.print(json ? text.json(losses).toPrettyString() + "\n" : text.dryRun(losses));
        // What must be stopped before is no finding: an operator looks before he stops a cluster.
        return plan.refusals().isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
    }

    private int execute(RestorePlan plan, RestoreText text) throws IOException {
        if (!plan.executable()) {
            throw new IOException(text.whyNot() + "Nothing was changed.");
        }
        List<String> done = checkpoints.restore(plan, NAME_OF_TIME.format(Instant.now()));
        out.print(json ? text.json(done).toPrettyString() + "\n" : text.done(done));
        return ExitCode.FINE;
    }

    private Checkpoint find(Arguments arguments) throws WrongException, IOException {
        requireRest(arguments, 1);
        String wanted = arguments.rest().get(0);
        List<Checkpoint> all = Checkpoint.assemble(checkpoints.manifests());
        List<Checkpoint> fitting = new ArrayList<>();
        for (Checkpoint one : all) {
            CheckpointId id = one.agreement().id();
            if (id.toString().equals(wanted) || id.name().equals(wanted)) {
                fitting.add(one);
            }
        }
        if (fitting.size() == 1) {
            return fitting.get(0);
        }
        List<String> ids = new ArrayList<>();
        (fitting.isEmpty() ? all : fitting)
                .forEach(one -> ids.add(one.agreement().id().toString()));
        throw new IOException("Wanted one checkpoint '" + wanted + "', found " + fitting.size() + "; there are " + ids);
    }

    private static void requireRest(Arguments arguments, int count) throws WrongException {
        if (arguments.rest().size() != count) {
            throw new WrongException("Wanted " + (count == 0 ? "no more words" : "the id of one checkpoint") + ", got "
                    + arguments.rest());
        }
    }

    private static String line(Checkpoint one) {
        return one.agreement().id() + "  "
                + Instant.ofEpochMilli(one.agreement().timeMillis()) + "  "
                + String.join(",", one.agreement().nameservices()) + "  "
                + (one.isComplete() ? "complete" : "incomplete: no barrier in " + String.join(",", one.missing()));
    }

    private static String text(Checkpoint one) {
        StringBuilder text = new StringBuilder("checkpoint ")
                .append(one.agreement().id())
                .append(one.isComplete() ? ": complete" : ": incomplete, it counts nowhere; no barrier in ")
                .append(String.join(",", one.missing()))
                .append("\ntime ")
                .append(Instant.ofEpochMilli(one.agreement().timeMillis()))
                .append(", clocks ")
                .append(one.agreement().skewMillis())
                .append(" ms apart, led by ")
                .append(one.agreement().timeServer())
                .append('\n');
        for (Manifest part : one.manifests().values()) {
            text.append(part.cut().nameservice())
                    .append(": transaction ")
                    .append(part.cut().txId())
                    .append(", image ")
                    .append(part.cut().imageTxId())
                    .append(", ")
                    .append(part.cut().files())
                    .append(" files and directories, ")
                    .append(part.cut().blocks())
                    .append(" blocks, ")
                    .append(part.cut()
                            .snapshot()
                            .map(name -> "data kept by snapshot " + name)
                            .orElse("data not kept"))
                    .append(", frozen for ")
                    .append(part.cut().frozenMicros() / 1_000)
                    .append(" ms\n");
        }
        return text.toString();
    }

    private static ObjectNode json(Checkpoint one) {
        ObjectNode object = Documents.of(one.agreement()).put("complete", one.isComplete());
        one.missing().forEach(object.putArray("missing")::add);
        ArrayNode cuts = object.putArray("cuts");
        one.manifests().values().forEach(part -> cuts.add(Documents.of(part.cut())));
        return object;
    }
}
