/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.MethodCallTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.trefoil.federation.client.hdfs.version.SubtreeView;
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
            CurrentVersionFileSystem.class,
            RefreshedVersionFileSystem.class,
            RetryingFileSystem.class,
            ListingFileSystem.class,
            CreatingFileSystem.class);

    /** Looks at the working directory, which is that of the view. */
    private static final Set<String> INHERITED = Set.of("fixRelativePart(Path)");

    /** Read in Hadoop 3.4.3: what each of them does with a directory above an entry. */
    private static final Set<String> RIGHT_ABOVE_ENTRIES = Set.of(
            // Refused, as they would be for any directory.
            "open(Path,int)",
            "append(Path,int,Progressable)",
            "create(Path,FsPermission,boolean,int,short,long,Progressable)",
            "truncate(Path,long)",
            "getFileChecksum(Path)",
            "getFileBlockLocations(FileStatus,long,long)",
            "getFileBlockLocations(Path,long,long)",
            // It is there.
            "mkdirs(Path)",
            "mkdirs(Path,FsPermission)",
            // Itself.
            // Not by the tree of mounts at all: refused, of the file system, or ListingFileSystem asks for each path.
            "open(PathHandle,int)",
            "fixRelativePart(Path)",
            "setWorkingDirectory(Path)",
            "batchedListStatusIterator(List)",
            "batchedListLocatedStatusIterator(List)");

    @Test
    void hadoopClientMethodsFollowTable() {
        Set<String> wanted = new TreeSet<>();
        for (Class<?> one : new Class<?>[] {DistributedFileSystem.class, ViewDistributedFileSystem.class}) {
            wanted.addAll(visibleMethods(one));
        }
        for (Class<?> one : CALLS) {
            wanted.removeAll(visibleMethods(one));
        }
        wanted.removeAll(visibleMethods(SubtreeFileSystem.class));
        wanted.removeAll(INHERITED);

        assertThat(wanted).isEmpty();
    }

    /**
     * What Hadoop's client for mount tables does with a path itself: it goes astray for directories above entries, if it looks for the path with
     * {@code getMountPathInfo}, which reflection does not show. It is corrected where the view overrides the method, or our classes let the
     * view choose the client that is asked.
     */
    @Test
    void hadoopMountTreePathsAreCorrectedOrResolved() {
        Set<String> wanted = visibleMethods(ViewDistributedFileSystem.class);
        wanted.removeIf(one -> !one.contains("Path")
                && !one.contains("List,")
                && !one.contains("List)")
                && !one.contains("FileStatus")
                && !one.contains("CacheDirectiveInfo")
                && !one.equals("listOpenFiles(EnumSet,String)"));
        for (Class<?> one = SubtreeView.class; one != ViewDistributedFileSystem.class; one = one.getSuperclass()) {
            wanted.removeAll(visibleMethods(one));
        }
        for (Class<?> one : CALLS) {
            wanted.removeAll(calledClientMethods(one));
        }

        assertThat(wanted).containsExactlyInAnyOrderElementsOf(RIGHT_ABOVE_ENTRIES);
    }

    @Test
    void overloadsOfOneCallFollowTableConsistently() {
        assertThat(calledTableMethods(CurrentVersionFileSystem.class)).containsExactly("currentView");
        assertThat(calledTableMethods(RefreshedVersionFileSystem.class))
                .containsExactly("callFresh", "refreshedView", "runFresh");
        assertThat(calledTableMethods(RetryingFileSystem.class))
                .containsExactly("call", "callWhenOpen", "change", "run");
        // Without a table, Hadoop's own batches have one owner.
        assertThat(calledTableMethods(ListingFileSystem.class)).containsExactly("call", "currentView", "isFixed");
        // For the text of a refusal alone.
        assertThat(calledTableMethods(CreatingFileSystem.class))
                .containsExactly("create", "currentView", "haveSameOwner", "runCreating");
    }

    /** The methods of the table that a class calls. */
    private static Set<String> calledTableMethods(Class<?> type) {
        return calls(type, RefreshingTable.class)
                .map(call -> call.getTarget().getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The methods of a nameservice's client that a class calls: the view gives it none but the right one. */
    private static Set<String> calledClientMethods(Class<?> type) {
        return calls(type, DistributedFileSystem.class)
                .map(call -> signature(call.getTarget()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<JavaMethodCall> calls(Class<?> type, Class<?> of) {
        return new ClassFileImporter()
                .importClasses(type).get(type).getMethodCallsFromSelf().stream()
                        .filter(call -> call.getTargetOwner().isEquivalentTo(of));
    }

    private static String signature(MethodCallTarget method) {
        return method.getName()
                + method.getRawParameterTypes().stream()
                        .map(JavaClass::getSimpleName)
                        .collect(Collectors.joining(",", "(", ")"));
    }

    @Test
    void fileContextUsersHaveAllHdfsOperations() {
        Set<String> wanted = new TreeSet<>(visibleMethods(Hdfs.class));
        wanted.removeAll(visibleMethods(SubtreeFs.class));
        wanted.removeAll(visibleMethods(DelegateToFileSystem.class));
        // The same for all: tokens are renewed by their class, and a path resolves to what its status says.
        wanted.removeIf(one -> one.startsWith("renewDelegationToken") || one.startsWith("cancelDelegationToken"));

        assertThat(wanted).isEmpty();
        assertThat(SubtreeFs.class).isAssignableTo(AbstractFileSystem.class);
    }

    private static Set<String> visibleMethods(Class<?> type) {
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
