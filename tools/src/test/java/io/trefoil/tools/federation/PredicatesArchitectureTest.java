/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import io.trefoil.federation.client.hashed.Group;
import io.trefoil.federation.move.MoveSource;
import io.trefoil.federation.move.MoveStore;
import io.trefoil.federation.move.MoveTarget;
import io.trefoil.federation.table.TableStore;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A method that is named as a question only asks. A developer who reads {@code isX() && isY()} may change the order, and does not
 * expect that a file is gone afterwards.
 */
class PredicatesArchitectureTest {

    private static final Pattern QUESTION = Pattern.compile("(is|has|can|may)[A-Z]\\w*");

    /** What changes a file system, by the beginnings of its methods' names. */
    private static final Pattern CHANGE = Pattern.compile(
            "(create|append|concat|truncate|rename|delete|mkdir|set|unset|modify|allow|disallow|remove|satisfy|replace)\\w*"
                    + "|(add|write|move|copy|newOutputStream|newBufferedWriter)\\w*");

    private static final Pattern CHANGE_OF_STORE = Pattern.compile(
            "append|withdrawDrafts|createPart|replaceEmpty|seal|setRedirect|clearRedirect|clearOtherQuota|unseal|begin|update|protectEntry|saveProgress|end");

    private static final Pattern CHANGE_OF_MOVE = Pattern.compile(
            "freeze|thaw|fence|close|redirectClients|undoRedirect|open|deleteContents|prepare|copy|setTraits|prepareOpening|undoOpening|release|discard");

    /** Ports and classes that change something, with the methods that do. */
    private static final Map<String, Pattern> WRITERS = Map.of(
            Group.class.getName(),
            CHANGE,
            "org.apache.hadoop.fs.FileSystem",
            CHANGE,
            "org.apache.hadoop.fs.FileContext",
            CHANGE,
            "org.apache.hadoop.hdfs.protocol.ClientProtocol",
            CHANGE,
            Files.class.getName(),
            CHANGE,
            File.class.getName(),
            CHANGE,
            TableStore.class.getName(),
            CHANGE_OF_STORE,
            MoveStore.class.getName(),
            CHANGE_OF_STORE,
            MoveSource.class.getName(),
            CHANGE_OF_MOVE,
            MoveTarget.class.getName(),
            CHANGE_OF_MOVE);

    /** Methods that reach a writer and may be asked nevertheless, with the reason why the order of two of them does not matter. */
    private static final Set<String> HARMLESS = Set.of(
            // They complete what others have decided already, whenever a path of a hashed directory is looked up or
            // listed.
            "io.trefoil.federation.client.hashed.PathResolver.findPartId",
            "io.trefoil.federation.client.hashed.HashedTree.complete",
            // The deletion of what is never there, which tells who answers it.
            "io.trefoil.federation.hdfs.move.HdfsFreeze.supportsMarks");

    private static final JavaClasses MAIN_CODE = new ClassFileImporter()
            .withImportOption(new DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.trefoil");

    @Test
    void predicatesDoNotCallMutatingMethods() {
        assertThat(mutatingPredicates(MAIN_CODE)).isEmpty();
    }

    @Test
    void allowedMethodsExist() {
        assertThat(MAIN_CODE.stream()
                        .flatMap(one -> one.getMethods().stream())
                        .map(PredicatesArchitectureTest::formatName))
                .containsAll(HARMLESS);
    }

    @Test
    void findsPlantedMutatingPredicate() {
        assertThat(mutatingPredicates(new ClassFileImporter().importClasses(PlantedPredicates.class, BestEffort.class)))
                .hasSize(3)
                .anySatisfy(
                        text -> assertThat(text).endsWith("Predicates.isCleared -> java.nio.file.Files.deleteIfExists"))
                .anySatisfy(text -> assertThat(text)
                        .endsWith("Predicates.hasRoom -> " + PlantedPredicates.class.getName()
                                + ".clear -> java.nio.file.Files.deleteIfExists"))
                .anySatisfy(text -> assertThat(text)
                        .contains("Predicates.mayGo -> ")
                        .endsWith(Group.class.getName() + ".removeRecursively"));
    }

    /** What this test was written for. */
    static final class PlantedPredicates {
        private final Path path;
        private final Group<?> group;

        PlantedPredicates(Path path, Group<?> group) {
            this.path = path;
            this.group = group;
        }

        boolean isCleared() throws IOException {
            return Files.deleteIfExists(path);
        }

        boolean hasRoom() throws IOException {
            return clear();
        }

        boolean mayGo() throws IOException {
            BestEffort.run(() -> group.removeRecursively("/a"));
            return true;
        }

        boolean isThere() {
            return Files.exists(path);
        }

        private boolean clear() throws IOException {
            return Files.deleteIfExists(path);
        }
    }

    /** A lambda belongs to the method that it stands in. */
    static final class BestEffort {
        interface Action {
            void run() throws IOException;
        }

        private BestEffort() {}

        static void run(Action action) throws IOException {
            action.run();
        }
    }

    private static List<String> mutatingPredicates(JavaClasses classes) {
        List<String> all = new ArrayList<>();
        classes.stream().flatMap(one -> one.getMethods().stream()).forEach(method -> {
            if (QUESTION.matcher(method.getName()).matches()
                    && Set.of("boolean", "java.lang.Boolean")
                            .contains(method.getRawReturnType().getName())) {
                pathToMutator(method, new HashSet<>()).ifPresent(way -> all.add(formatName(method) + way));
            }
        });
        return all;
    }

    private static Optional<String> pathToMutator(JavaCodeUnit from, Set<String> visited) {
        if (!visited.add(from.getFullName()) || HARMLESS.contains(formatName(from))) {
            return Optional.empty();
        }
        return from.getCallsFromSelf().stream()
                .map(call -> {
                    String name = call.getTargetOwner().getName() + "." + call.getName();
                    boolean writes = WRITERS.entrySet().stream()
                            .anyMatch(writer -> call.getTargetOwner().isAssignableTo(writer.getKey())
                                    && writer.getValue().matcher(call.getName()).matches());
                    if (writes) {
                        return Optional.of(" -> " + name);
                    }
                    Optional<? extends JavaCodeUnit> next = call.getTarget().resolveMember();
                    return next.isPresent()
                            ? pathToMutator(next.get(), visited).map(way -> " -> " + name + way)
                            : Optional.<String>empty();
                })
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static String formatName(JavaCodeUnit one) {
        return one.getOwner().getName() + "." + one.getName();
    }
}
