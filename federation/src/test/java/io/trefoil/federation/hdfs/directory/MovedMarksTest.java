/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.marks.EntryMark;
import io.trefoil.federation.marks.MovedMark;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;

/** Marks of several commands that run at the same time, at a NameNode in memory. */
class MovedMarksTest {

    private static final MovedMark MARK = MovedMark.of("ns2", 7);

    /** Attributes by the id of the directory, which the root has as well. */
    private final Map<Long, Map<String, byte[]>> attributes = new TreeMap<>();

    private final Map<String, Long> numbers = new TreeMap<>();

    private interface Step {
        void run() throws IOException;
    }

    private void begin() {
        attributes.clear();
        numbers.clear();
        for (String directory : List.of("/", "/a", "/b", "/c")) {
            createDirectory(directory);
        }
        // As an earlier release left it.
        attributes(1).put(MovedMark.DIRECTORIES, MovedMark.encodeDirectories(new TreeSet<>(Set.of("/c"))));
        attributes(numbers.get("/c")).put(MovedMark.NAME, MARK.value());
    }

    private void createDirectory(String directory) {
        long number = attributes.size() + 1L;
        numbers.put(directory, number);
        attributes.put(number, new TreeMap<>());
    }

    private Map<String, byte[]> attributes(long number) {
        return attributes.get(number);
    }

    /** A NameNode of which the call with this number, from 0, comes after a step of another process. */
    private ClientProtocol nameNode(int call, Step before) {
        int[] left = {call};
        return (ClientProtocol) Proxy.newProxyInstance(
                ClientProtocol.class.getClassLoader(),
                new Class<?>[] {ClientProtocol.class},
                (proxy, method, arguments) -> {
                    if (left[0]-- == 0) {
                        before.run();
                    }
                    return invoke(method, arguments);
                });
    }

    private ClientProtocol nameNode() {
        return nameNode(-1, () -> {});
    }

    private Object invoke(Method method, Object[] arguments) throws IOException {
        String path = (String) arguments[0];
        return switch (method.getName()) {
            case "getFileInfo" -> status(path);
            case "getXAttrs" -> attributesOf(path);
            case "setXAttr" -> setAttribute(path, (XAttr) arguments[1], (EnumSet<?>) arguments[2]);
            case "removeXAttr" -> removeAttribute(path, (XAttr) arguments[1]);
            default -> throw new AssertionError(method.getName());
        };
    }

    private HdfsFileStatus status(String path) {
        return numbers.containsKey(path)
                ? new HdfsFileStatus.Builder()
                        .fileId(numbers.get(path))
                        .isdir(true)
                        .build()
                : null;
    }

    private List<XAttr> attributesOf(String path) throws IOException {
        List<XAttr> found = new ArrayList<>();
        attributesAt(path).forEach((name, value) -> found.add(XAttrHelper.buildXAttr(name, value)));
        return found;
    }

    private Object setAttribute(String path, XAttr attribute, EnumSet<?> flags) throws IOException {
        String name = XAttrHelper.getPrefixedName(attribute);
        if (!flags.contains(XAttrSetFlag.REPLACE) && attributesAt(path).containsKey(name)) {
            throw new RemoteException(IOException.class.getName(), "exists");
        }
        if (attributesAt(path).size() >= 32 && !attributesAt(path).containsKey(name)) {
            throw new RemoteException(IOException.class.getName(), "Cannot add additional XAttr to inode");
        }
        attributesAt(path).put(name, attribute.getValue());
        return null;
    }

    private Object removeAttribute(String path, XAttr attribute) throws IOException {
        if (attributesAt(path).remove(XAttrHelper.getPrefixedName(attribute)) == null) {
            throw new RemoteException(IOException.class.getName(), "No matching attributes found");
        }
        return null;
    }

    private Map<String, byte[]> attributesAt(String path) throws IOException {
        for (Map.Entry<String, Long> one : numbers.entrySet()) {
            if (path.equals(one.getKey()) || path.equals(HdfsTree.inodePath(one.getValue()))) {
                return attributes(one.getValue());
            }
        }
        throw new RemoteException(FileNotFoundException.class.getName(), path);
    }

    private Set<String> listedDirectories() {
        Set<String> listed = new TreeSet<>();
        attributes(1).forEach((name, value) -> {
            if (MovedMark.isDirectoriesAttribute(name)) {
                listed.addAll(MovedMark.decodeDirectories(value));
            }
        });
        return listed;
    }

    private boolean isMarked(String directory) {
        return attributes(numbers.get(directory)).containsKey(MovedMark.NAME);
    }

    @Test
    void listOfEarlierReleaseIsConverted() throws IOException {
        begin();
        MovedMarks.set(nameNode(), "/a", MARK);
        assertThat(isMarked("/a")).isTrue();
        assertThat(listedDirectories()).containsExactly("/a", "/c");
        assertThat(attributes(1).keySet())
                .singleElement()
                .asString()
                .matches("trusted\\.trefoil\\.moved-folders\\.[0-9a-f-]{36}");

        MovedMarks.remove(nameNode(), "/c");
        assertThat(isMarked("/c")).isFalse();
        assertThat(listedDirectories()).containsExactly("/a");
        MovedMarks.remove(nameNode(), "/a");
        MovedMarks.remove(nameNode(), "/a");
        MovedMarks.remove(nameNode(), "/absent");
        assertThat(isMarked("/a")).isFalse();
        assertThat(attributes(1)).isEmpty();
    }

    @Test
    void concurrentSetsPreserveAllMarks() throws IOException {
        for (int call = 0; call < 8; call++) {
            begin();
            MovedMarks.set(nameNode(call, () -> MovedMarks.set(nameNode(), "/b", MARK)), "/a", MARK);
            if (!isMarked("/b")) {
                assertThat(call).as("calls of one command").isGreaterThan(4);
                return;
            }
            assertThat(listedDirectories()).as("before call %d", call).containsExactly("/a", "/b", "/c");
            assertThat(isMarked("/a")).isTrue();
        }
        throw new AssertionError("more calls than expected");
    }

    @Test
    void removalKeepsMarksSetConcurrently() throws IOException {
        for (int call = 0; call < 8; call++) {
            begin();
            MovedMarks.remove(nameNode(call, () -> MovedMarks.set(nameNode(), "/b", MARK)), "/c");
            assertThat(isMarked("/c")).isFalse();
            if (isMarked("/b")) {
                assertThat(listedDirectories()).as("before call %d", call).contains("/b");
            }

            begin();
            MovedMarks.set(nameNode(call, () -> MovedMarks.remove(nameNode(), "/c")), "/a", MARK);
            assertThat(listedDirectories()).as("before call %d", call).contains("/a");
            assertThat(isMarked("/a")).isTrue();
        }
    }

    /** A move brings a subtree back in a new directory. */
    @Test
    void replacedDirectoryIsNotMarked() {
        for (int call = 1; call < 5; call++) {
            begin();
            int late = call;
            assertThatThrownBy(() -> MovedMarks.set(nameNode(late, () -> createDirectory("/a")), "/a", MARK))
                    .isInstanceOf(RemoteException.class);
            assertThat(isMarked("/a")).isFalse();
        }
    }

    @Test
    void limitsListedDirectories() throws IOException {
        begin();
        Set<String> many = new TreeSet<>();
        for (int i = 0; i < 7; i++) {
            String directory = "/" + i + "x".repeat(12 << 10);
            many.add(directory);
            createDirectory(directory);
            attributes(numbers.get(directory)).put(MovedMark.NAME, MARK.value());
        }
        attributes(1).put(MovedMark.DIRECTORIES, MovedMark.encodeDirectories(many));
        assertThat(MovedMarks.set(nameNode(), "/a", MARK)).isFalse();
        assertThat(isMarked("/a")).isFalse();
        assertThat(listedDirectories()).isEqualTo(many);

        attributes(1).put(EntryMark.directoriesAttributeName("x"), MovedMark.encodeDirectories(many));
        assertThat(EntryMarks.setMark(nameNode(), "/a")).isFalse();
    }

    /** The operator's page removes a seal by the attributes of its directory alone. */
    @Test
    void unsealedDirectoryDoesNotTakeListSpace() throws IOException {
        begin();
        Set<String> many = new TreeSet<>(Set.of("/b", "/c"));
        for (int i = 0; i < 7; i++) {
            many.add("/" + i + "x".repeat(12 << 10));
        }
        attributes(1).put(MovedMark.DIRECTORIES, MovedMark.encodeDirectories(many));

        assertThat(MarkedDirectories.GIVEN_AWAY.fullListReason("/", nameNode(), attributesOf("/"), "/a"))
                .isEmpty();
        assertThat(MovedMarks.set(nameNode(), "/a", MARK)).isTrue();
        assertThat(isMarked("/a")).isTrue();
        assertThat(listedDirectories()).containsExactly("/a", "/c");
    }

    @Test
    void directoryStaysListedWhenOthersRemoveLeftovers() throws IOException {
        for (int call = 0; call < 60; call++) {
            begin();
            Set<String> many = new TreeSet<>(Set.of("/c"));
            for (int i = 0; i < 7; i++) {
                many.add("/" + i + "x".repeat(12 << 10));
            }
            attributes(1).put(MovedMark.DIRECTORIES, MovedMark.encodeDirectories(many));
            boolean[] isOver = {true};
            int late = call;
            MovedMarks.set(
                    nameNode(late, () -> {
                        isOver[0] = false;
                        MovedMarks.set(nameNode(), "/b", MARK);
                    }),
                    "/a",
                    MARK);
            if (isOver[0]) {
                assertThat(call).as("calls of one command").isGreaterThan(20);
                return;
            }
            assertThat(listedDirectories()).as("before call %d", call).contains("/a", "/b", "/c");
        }
        throw new AssertionError("more calls than expected");
    }

    /** Of a command that ended when it had written the new lists, and not yet removed the old ones. */
    @Test
    void listsOfInterruptedCommandDoNotTakeListSpace() throws IOException {
        begin();
        attributes(1).clear();
        for (int i = 0; i < 12; i++) {
            attributes(1).put("user.other" + i, new byte[0]);
        }
        Set<String> many = new TreeSet<>();
        for (int i = 0; i < 7; i++) {
            Set<String> directories = Set.of("/" + i + "x".repeat((12 << 10) - 100));
            many.addAll(directories);
            attributes(1).put(MovedMark.directoriesAttributeName("old" + i), MovedMark.encodeDirectories(directories));
            attributes(1).put(MovedMark.directoriesAttributeName("new" + i), MovedMark.encodeDirectories(directories));
        }
        MovedMarks.set(nameNode(), "/a", MARK);
        many.add("/a");
        assertThat(isMarked("/a")).isTrue();
        assertThat(listedDirectories()).isEqualTo(many);
        assertThat(attributes(1)).hasSize(12 + 7);
    }

    @Test
    void newListIsCreatedWhenOneIsFull() throws IOException {
        begin();
        Set<String> marked = new TreeSet<>(Set.of("/c"));
        for (int i = 0; i < 300; i++) {
            String directory = "/warehouse/a-database-with-a-long-name/and-a-table-" + i;
            createDirectory(directory);
            marked.add(directory);
            MovedMarks.set(nameNode(), directory, MARK);
        }

        Set<String> listed = new TreeSet<>();
        attributes(1).values().forEach(list -> listed.addAll(MovedMark.decodeDirectories(list)));
        assertThat(listed).isEqualTo(marked);
        assertThat(attributes(1)).hasSize(2);
        assertThat(attributes(1).values())
                .allSatisfy(list -> assertThat(list.length).isLessThan(16 << 10));
    }
}
