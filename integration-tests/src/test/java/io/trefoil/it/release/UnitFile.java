/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.release;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A unit of systemd with its drop-ins, as far as ours use them; whatever is not known here is refused. */
final class UnitFile {
    /** Lists, to which each line adds, and which an empty line empties. */
    private static final Set<String> LISTS = Set.of(
            "After",
            "Wants",
            "Conflicts",
            "OnFailure",
            "Environment",
            "EnvironmentFile",
            "PassEnvironment",
            "ExecStartPre",
            "ExecStart",
            "ExecStop",
            "RestartPreventExitStatus",
            "SuccessExitStatus",
            "WantedBy");

    private static final Set<String> SINGLE = Set.of(
            "Description",
            "StartLimitIntervalSec",
            "Type",
            "User",
            "Group",
            "WorkingDirectory",
            "Restart",
            "RestartSec",
            "TimeoutStartSec",
            "TimeoutStopSec",
            "LimitNOFILE",
            "OOMScoreAdjust",
            "OOMPolicy",
            "KillMode",
            "PIDFile");

    private static final Set<String> SECTIONS = Set.of("[Unit]", "[Service]", "[Install]");

    private final Map<String, List<String>> lists = new HashMap<>();
    private final Map<String, String> values = new HashMap<>();

    private UnitFile() {}

    /**
     * Reads a unit and what follows it.
     *
     * @throws AssertionError if something in it is not known here
     */
    static UnitFile of(String... texts) {
        UnitFile unit = new UnitFile();
        for (String text : texts) {
            text.lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .forEach(unit::read);
        }
        unit.requireKind();
        return unit;
    }

    private void read(String line) {
        if (SECTIONS.contains(line)) {
            return;
        }
        int equals = line.indexOf('=');
        String key = equals < 0 ? line : line.substring(0, equals);
        String value = line.substring(equals + 1).strip();
        if (LISTS.contains(key)) {
            List<String> list = lists.computeIfAbsent(key, any -> new ArrayList<>());
            if (value.isEmpty()) {
                list.clear();
            } else {
                list.add(value);
            }
        } else if (SINGLE.contains(key)) {
            values.put(key, value);
        } else {
            throw new AssertionError("What does systemd do with this? " + line);
        }
    }

    /** What other values mean is not known here. */
    private void requireKind() {
        require("Type", "simple");
        require("Restart", "always", "no");
        require("KillMode", "control-group");
        require("OOMPolicy", "continue");
        require("PIDFile", "");
        require("TimeoutStartSec", "infinity");
        if (list("ExecStart").size() != 1) {
            throw new AssertionError("Wanted one ExecStart, found " + list("ExecStart"));
        }
        for (String command : commands()) {
            // Prefixes, specifiers and variables have a meaning that no shell has.
            if (!command.startsWith("/") || command.contains("%") || command.contains("$")) {
                throw new AssertionError("What does systemd make of this? " + command);
            }
        }
    }

    private void require(String key, String... knownKeys) {
        if (values.containsKey(key) && !Set.of(knownKeys).contains(values.get(key))) {
            throw new AssertionError("What does systemd do with " + key + "=" + values.get(key) + "?");
        }
    }

    private List<String> commands() {
        List<String> commands = new ArrayList<>(list("ExecStartPre"));
        commands.addAll(list("ExecStart"));
        commands.addAll(list("ExecStop"));
        return commands;
    }

    List<String> list(String key) {
        return lists.getOrDefault(key, List.of());
    }

    /** The words of a list whose lines may have several. */
    List<String> words(String key) {
        return list(key).stream()
                .flatMap(line -> List.of(line.split("\\s+")).stream())
                .collect(Collectors.toList());
    }

    Optional<String> value(String key) {
        return Optional.ofNullable(values.get(key));
    }

    boolean isRestarted() {
        return value("Restart").equals(Optional.of("always"));
    }

    /** Seconds, as in {@code 5min} or {@code 1s}. */
    long seconds(String key, long defaultValue) {
        String text = values.get(key);
        if (text == null) {
            return defaultValue;
        }
        if (text.endsWith("min")) {
            return 60 * Long.parseLong(text.substring(0, text.length() - 3));
        }
        return Long.parseLong(text.endsWith("s") ? text.substring(0, text.length() - 1) : text);
    }

    /**
     * A script for a shell that runs as root: one life of the service, from the commands before it to its end. The shell's standard input
     * ends with this JVM, and with it the service.
     *
     * @param state a directory in which the script says how far it is: {@code state} is activating, active, failed or ended
     * @param invocation marks all processes of the service, as its control group would
     */
    String script(String state, String invocation) {
        String user = value("User").orElse("root");
        StringBuilder script = new StringBuilder("exec 3<&0 </dev/null\n")
                .append("state() { echo \"$1\" >'" + state + "/state'; }\n")
                .append("[ ! -e '" + state + "/ran' ] || sleep " + seconds("RestartSec", 0) + "\n")
                .append("touch '" + state + "/ran'; state activating\n")
                .append("as_service() {\n")
                .append("  cd " + value("WorkingDirectory").orElse("/") + "\n");
        value("LimitNOFILE").ifPresent(files -> script.append("  ulimit -n " + files + "\n"));
        // Not every machine lets even root do so.
        value("OOMScoreAdjust")
                .ifPresent(
                        points -> script.append("  { echo " + points + " >/proc/self/oom_score_adj; } 2>/dev/null\n"));
        script.append(
                        "  local -a given=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8")
                .append(" USER=" + user + " LOGNAME=" + user + " \"HOME=$(getent passwd " + user + " | cut -d: -f6)\"")
                .append(" INVOCATION_ID=" + invocation);
        list("Environment").forEach(line -> script.append(" " + line));
        script.append(")\n");
        for (String variable : words("PassEnvironment")) {
            script.append("  [ -z \"${" + variable + "+set}\" ] || given+=(\"" + variable + "=$" + variable + "\")\n");
        }
        for (String file : list("EnvironmentFile")) {
            boolean isOptional = file.startsWith("-");
            String path = isOptional ? file.substring(1) : file;
            script.append("  while read -r line; do case $line in ''|'#'*) ;; *) given+=(\"$line\") ;; esac; done <'"
                    + path + "'" + (isOptional ? " 2>/dev/null || true" : "") + "\n");
        }
        script.append("  exec env -i \"${given[@]}\" setpriv --reuid " + user + " --regid "
                + value("Group").orElse("$(id -gn " + user + ")") + " --init-groups -- \"$@\" 3<&-\n}\n");
        for (String before : list("ExecStartPre")) {
            script.append("( as_service " + before + " ) || { code=$?; state failed; exit $code; }\n");
        }
        script.append("( as_service " + list("ExecStart").get(0) + " ) &\n")
                // Its mark is on it only after the last exec.
                .append("child=$!; until grep -qz INVOCATION_ID=" + invocation
                        + " /proc/$child/environ 2>/dev/null || ! kill -0 $child 2>/dev/null; do sleep 0.01; done\n")
                .append("state active\n")
                .append("{ cat <&3 >/dev/null; kill -KILL $child; } 2>/dev/null &\n")
                .append("wait $child; code=$?; state ended\n");
        for (String code : words("RestartPreventExitStatus")) {
            // No process starts it again.
            script.append("[ $code != " + code + " ] || { state failed; cat <&3 >/dev/null; }\n");
        }
        return script.append("exit $code\n").toString();
    }
}
