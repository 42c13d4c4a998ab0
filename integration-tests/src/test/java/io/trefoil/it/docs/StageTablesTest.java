/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.coordinator.CoordinatorStage;
import io.trefoil.checkpoint.participant.ParticipantStage;
import io.trefoil.federation.move.rules.MoveStage;
import io.trefoil.foundation.StageTransitions;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.journal.pool.replica.storage.StorageStage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The tables of stages in the documents have exactly the edges that the code allows. */
class StageTablesTest {
    private static final Path PAGE = Path.of("../docs/design/code-shape.md");
    private static final Path MOVES = Path.of("../docs/design/subtree-moves.md");
    private static final Pattern ROW =
            Pattern.compile("^\\| ([A-Z_]+) \\| ([A-Z_]+) \\| \\S.* \\|$", Pattern.MULTILINE);

    @Test
    void agentTableMatchesCode() throws IOException {
        assertTable("Agent", AgentStage.class, AgentStage.EDGES);
    }

    @Test
    void coordinatorTableMatchesCode() throws IOException {
        assertTable("Coordinator", CoordinatorStage.class, CoordinatorStage.EDGES);
    }

    @Test
    void participantTableMatchesCode() throws IOException {
        assertTable("Participant", ParticipantStage.class, ParticipantStage.EDGES);
    }

    @Test
    void replicaStorageTableMatchesCode() throws IOException {
        assertTable("Storage of a replica", StorageStage.class, StorageStage.EDGES);
    }

    @Test
    void moveTableMatchesCode() throws IOException {
        assertTable(MOVES, "Edges of a move", MoveStage.class, MoveStage.EDGES);
    }

    private static <S extends Enum<S>> void assertTable(String heading, Class<S> stages, StageTransitions<S> edges)
            throws IOException {
        assertTable(PAGE, heading, stages, edges);
    }

    private static <S extends Enum<S>> void assertTable(
            Path page, String heading, Class<S> stages, StageTransitions<S> edges) throws IOException {
        Set<String> allowed = new TreeSet<>();
        for (S from : stages.getEnumConstants()) {
            for (S to : stages.getEnumConstants()) {
                if (edges.allows(from, to)) {
                    allowed.add(from + " -> " + to);
                }
            }
        }
        assertThat(readTable(page, heading)).isEqualTo(allowed);
    }

    /** The rows below a heading, up to the next one. */
    private static Set<String> readTable(Path file, String heading) throws IOException {
        String page = Files.readString(file);
        String begin = "\n### " + heading + "\n";
        assertThat(page).contains(begin);
        String section = page.substring(page.indexOf(begin) + begin.length()).split("\n#", 2)[0];
        Set<String> rows = new TreeSet<>();
        Matcher row = ROW.matcher(section);
        while (row.find()) {
            assertThat(rows.add(row.group(1) + " -> " + row.group(2)))
                    .as("stands once: " + row.group())
                    .isTrue();
        }
        return rows;
    }
}
