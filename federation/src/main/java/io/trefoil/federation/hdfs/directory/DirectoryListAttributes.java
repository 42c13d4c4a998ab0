/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.directory;

import io.trefoil.federation.marks.MovedMark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The directories that attributes of the root list for NameNodes. None of these attributes is ever replaced, so that of two commands at the
 * same time neither loses what the other adds.
 *
 * <p>Uses {@code XAttrHelper}.
 */
final class DirectoryListAttributes {

    private static final String ROOT = "/";

    /** HDFS accepts at most 16 KB as an attribute's value. */
    private static final int MAX_ATTRIBUTE_BYTES = 12 << 10;

    /**
     * The maximum number of lists: a root has room for 32 attributes by default, for lists of three kinds and marks of freezes, and while
     * lists of one kind are rewritten, the old ones exist as well.
     */
    private static final int MAX_LISTS = 7;

    private final UnaryOperator<String> name;
    private final Predicate<String> hasDirectories;
    private final Optional<String> mark;

    /**
     * @param name makes the name of an attribute from a unique text
     * @param hasDirectories whether an attribute of this name is one of them
     * @param mark the attribute that a listed directory has as well; empty if to be listed is all
     */
    DirectoryListAttributes(UnaryOperator<String> name, Predicate<String> hasDirectories, Optional<String> mark) {
        this.name = name;
        this.hasDirectories = hasDirectories;
        this.mark = mark;
    }

    /**
     * Adds a directory; does nothing if it is listed. A process that then marks it adds it once more: another one may
     * have taken it for a directory whose mark was removed.
     *
     * @return false if there are too many; nothing has changed then
     */
    boolean add(ClientProtocol nameNode, String directory) throws IOException {
        Map<String, byte[]> lists = withoutRedundantLists(nameNode, lists(nameNode));
        Set<String> directories = directories(lists);
        if (!directories.add(directory)) {
            return true;
        }
        Set<String> left =
                splitIntoLists(directories).size() > MAX_LISTS ? markedDirectories(nameNode, directories) : directories;
        left.add(directory);
        if (!replace(nameNode, lists.keySet(), left)) {
            return false;
        }
        directories.removeAll(left);
        for (String markedMeanwhile : markedDirectories(nameNode, directories)) {
            if (!add(nameNode, markedMeanwhile)) {
                // It was there first.
                remove(nameNode, directory);
                add(nameNode, markedMeanwhile);
                return false;
            }
        }
        return true;
    }

    /** The listed directories that exist and have the mark: if an operator removes a seal, its directory stays in a list. */
    private Set<String> markedDirectories(ClientProtocol nameNode, Set<String> directories) throws IOException {
        Set<String> marked = new TreeSet<>();
        for (String directory : directories) {
            if (!mark.isPresent()
                    || (nameNode.getFileInfo(directory) != null
                            && attributes(nameNode, directory).containsKey(mark.get()))) {
                marked.add(directory);
            }
        }
        return marked;
    }

    /**
     * The lists as {@link #add} would write them; empty if the directory is already listed.
     *
     * @param ofRoot the root's attributes
     * @return empty if there would be too many
     */
    Optional<List<XAttr>> listsIncluding(ClientProtocol nameNode, Collection<XAttr> ofRoot, String directory)
            throws IOException {
        Map<String, byte[]> lists = attributesByName(ofRoot);
        lists.keySet().removeIf(list -> !hasDirectories.test(list));
        Set<String> directories = directories(lists);
        if (!directories.add(directory)) {
            return Optional.of(Collections.emptyList());
        }
        List<byte[]> values = splitIntoLists(directories);
        if (values.size() > MAX_LISTS) {
            Set<String> left = markedDirectories(nameNode, directories);
            left.add(directory);
            values = splitIntoLists(left);
        }
        String next = name.apply(UUID.randomUUID().toString());
        return values.size() > MAX_LISTS
                ? Optional.empty()
                : Optional.of(values.stream()
                        .map(value -> XAttrHelper.buildXAttr(next, value))
                        .collect(Collectors.toList()));
    }

    boolean contains(ClientProtocol nameNode, String directory) throws IOException {
        return directories(lists(nameNode)).contains(directory);
    }

    /** Removes a directory, if it is listed. */
    void remove(ClientProtocol nameNode, String directory) throws IOException {
        Map<String, byte[]> lists = withoutRedundantLists(nameNode, lists(nameNode));
        Set<String> directories = directories(lists);
        if (directories.remove(directory)) {
            replace(nameNode, lists.keySet(), directories);
        }
    }

    /**
     * Rewrites the lists into as few as possible. What others add meanwhile is in a list of its own, and stays;
     * what they remove may come back, which does no harm. So it is after a crash between the two steps.
     *
     * @return false if there would be too many; nothing has changed then
     */
    private boolean replace(ClientProtocol nameNode, Set<String> lists, Set<String> directories) throws IOException {
        List<byte[]> values = splitIntoLists(directories);
        if (values.size() > MAX_LISTS) {
            return false;
        }
        for (byte[] value : values) {
            String next = name.apply(UUID.randomUUID().toString());
            nameNode.setXAttr(ROOT, XAttrHelper.buildXAttr(next, value), EnumSet.of(XAttrSetFlag.CREATE));
        }
        for (String list : lists) {
            removeList(nameNode, list);
        }
        return true;
    }

    /**
     * Removes redundant lists, left behind by a command that exited while rewriting lists: the next one would find no room. Those go that
     * others with greater names cover: so of two commands that do this at the same time neither removes what the other relies on.
     */
    private static Map<String, byte[]> withoutRedundantLists(ClientProtocol nameNode, Map<String, byte[]> lists)
            throws IOException {
        Map<String, byte[]> left = new TreeMap<>(lists);
        Set<String> greater = new HashSet<>();
        for (String list : new TreeMap<>(lists).descendingKeySet()) {
            Set<String> directories = MovedMark.decodeDirectories(lists.get(list));
            if (greater.containsAll(directories)) {
                removeList(nameNode, list);
                left.remove(list);
            }
            greater.addAll(directories);
        }
        return left;
    }

    /** The directories, divided into lists that HDFS accepts. */
    private static List<byte[]> splitIntoLists(Set<String> directories) {
        List<byte[]> values = new ArrayList<>();
        Set<String> together = new TreeSet<>();
        for (String directory : directories) {
            together.add(directory);
            if (MovedMark.encodeDirectories(together).length > MAX_ATTRIBUTE_BYTES) {
                together.remove(directory);
                values.add(MovedMark.encodeDirectories(together));
                together.clear();
                together.add(directory);
            }
        }
        if (!together.isEmpty()) {
            values.add(MovedMark.encodeDirectories(together));
        }
        return values;
    }

    /** Removes a list, which another process may have replaced too. */
    private static void removeList(ClientProtocol nameNode, String list) throws IOException {
        try {
            nameNode.removeXAttr(ROOT, XAttrHelper.buildXAttr(list));
        } catch (RemoteException e) {
            if (attributes(nameNode, ROOT).containsKey(list)) {
                throw e;
            }
        }
    }

    private static Set<String> directories(Map<String, byte[]> lists) {
        Set<String> directories = new TreeSet<>();
        for (byte[] list : lists.values()) {
            directories.addAll(MovedMark.decodeDirectories(list));
        }
        return directories;
    }

    private Map<String, byte[]> lists(ClientProtocol nameNode) throws IOException {
        Map<String, byte[]> lists = attributes(nameNode, ROOT);
        lists.keySet().removeIf(name -> !hasDirectories.test(name));
        return lists;
    }

    /** The attributes of a directory, by full name. */
    static Map<String, byte[]> attributes(ClientProtocol nameNode, String directory) throws IOException {
        return attributesByName(nameNode.getXAttrs(directory, null));
    }

    private static Map<String, byte[]> attributesByName(Collection<XAttr> all) {
        Map<String, byte[]> attributes = new TreeMap<>();
        for (XAttr attr : all) {
            byte[] value = attr.getValue();
            attributes.put(XAttrHelper.getPrefixedName(attr), value == null ? new byte[0] : value);
        }
        return attributes;
    }
}
