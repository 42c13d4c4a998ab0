/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs.subtrees;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.Hdfs;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.junit.jupiter.api.Test;

/** What Hadoop's clients have is routed by the table; that of a later Hadoop as well, or this test says so. */
class SubtreeFileSystemTest {

    /** The classes that {@link SubtreeFileSystem} extends, up to Hadoop's. */
    private static final List<Class<?>> CALLS = List.of(
            CurrentVersionCalls.class,
            FreshVersionCalls.class,
            RepeatedCalls.class,
            ListingCalls.class,
            CreatingCalls.class);

    /** Looks at the working directory, which is that of the view. */
    private static final Set<String> INHERITED = Set.of("fixRelativePart(Path)");

    @Test
    void everyMethodOfHadoopsClientFollowsTheTable() {
        Set<String> wanted = new TreeSet<>();
        for (Class<?> one : new Class<?>[] {DistributedFileSystem.class, ViewDistributedFileSystem.class}) {
            wanted.addAll(visible(one));
        }
        for (Class<?> one : CALLS) {
            wanted.removeAll(visible(one));
        }
        wanted.removeAll(visible(SubtreeFileSystem.class));
        wanted.removeAll(INHERITED);

        assertThat(wanted).isEmpty();
    }

    @Test
    void theCallsOfAClassFollowTheTableInOneWay() {
        assertThat(used(CurrentVersionCalls.class)).containsExactly("now");
        assertThat(used(FreshVersionCalls.class)).containsExactly("fresh");
        assertThat(used(RepeatedCalls.class)).containsExactly("call", "run");
        // Without a table, Hadoop's own batches have one owner.
        assertThat(used(ListingCalls.class)).containsExactly("call", "isFixed", "now");
        assertThat(used(CreatingCalls.class)).containsExactly("create", "createNothing", "isOneOwner");
    }

    /** The methods of the table that a class calls. */
    private static Set<String> used(Class<?> type) {
        return new ClassFileImporter()
                .importClasses(type).get(type).getMethodCallsFromSelf().stream()
                        .filter(call -> call.getTargetOwner().isEquivalentTo(FollowedTable.class))
                        .map(call -> call.getTarget().getName())
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void usersOfFileContextCanDoWhatTheyCanWithHdfs() {
        Set<String> wanted = new TreeSet<>(visible(Hdfs.class));
        wanted.removeAll(visible(SubtreeFs.class));
        wanted.removeAll(visible(DelegateToFileSystem.class));
        // The same for all: tokens are renewed by their class, and a path resolves to what its status says.
        wanted.removeIf(one -> one.startsWith("renewDelegationToken") || one.startsWith("cancelDelegationToken"));

        assertThat(wanted).isEmpty();
        assertThat(SubtreeFs.class).isAssignableTo(AbstractFileSystem.class);
    }

    private static Set<String> visible(Class<?> type) {
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> !method.isBridge() && !method.isSynthetic())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0)
                .map(SubtreeFileSystemTest::signature)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String signature(Method method) {
        return method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(",", "(", ")"));
    }
}
