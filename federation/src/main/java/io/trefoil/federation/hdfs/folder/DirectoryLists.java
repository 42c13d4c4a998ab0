/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.folder;

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
 * Folders that attributes of the root list for NameNodes. None of these attributes is ever replaced, so that of two commands at the same
 * time neither loses what the other adds.
 *
 * <p>Uses {@code XAttrHelper}.
 */
final class DirectoryLists {

    private static final String ROOT = "/";

    /** HDFS takes 16 KB as an attribute's value. */
    private static final int LONGEST = 12 << 10;

    /**
     * A root has room for 32 attributes by default, for lists of three kinds and marks of what is frozen; and while
     * lists of one kind are written again, the old ones are there as well.
     */
    private static final int MOST = 7;

    private final UnaryOperator<String> name;
    private final Predicate<String> hasFolders;
    private final Optional<String> mark;

    /**
     * @param name of an attribute with what no other one has in it
     * @param hasFolders whether an attribute of this name is one of them
     * @param mark the attribute that a listed folder has as well; empty if to be listed is all
     */
    DirectoryLists(UnaryOperator<String> name, Predicate<String> hasFolders, Optional<String> mark) {
        this.name = name;
        this.hasFolders = hasFolders;
        this.mark = mark;
    }

    /**
     * Adds a folder; does nothing if it is listed. Whoever then marks it adds it once more: it may have been taken for
     * one whose mark somebody has removed.
     *
     * @return false if there are too many; nothing has changed then
     */
    boolean add(ClientProtocol nameNode, String folder) throws IOException {
        Map<String, byte[]> lists = withoutCovered(nameNode, lists(nameNode));
        Set<String> folders = folders(lists);
        if (!folders.add(folder)) {
            return true;
        }
        Set<String> left = divided(folders).size() > MOST ? withMark(nameNode, folders) : folders;
        left.add(folder);
        if (!replace(nameNode, lists.keySet(), left)) {
            return false;
        }
        folders.removeAll(left);
        for (String markedMeanwhile : withMark(nameNode, folders)) {
            if (!add(nameNode, markedMeanwhile)) {
                // It was there first.
                remove(nameNode, folder);
                add(nameNode, markedMeanwhile);
                return false;
            }
        }
        return true;
    }

    /** The listed folders that exist and have the mark: an operator who removes a seal leaves its folder in a list. */
    private Set<String> withMark(ClientProtocol nameNode, Set<String> folders) throws IOException {
        Set<String> marked = new TreeSet<>();
        for (String one : folders) {
            if (!mark.isPresent()
                    || (nameNode.getFileInfo(one) != null
                            && attributes(nameNode, one).containsKey(mark.get()))) {
                marked.add(one);
            }
        }
        return marked;
    }

    /**
     * The lists as {@link #add} would write them; none if the folder is listed.
     *
     * @param ofRoot the root's attributes
     * @return empty if there would be too many
     */
    Optional<List<XAttr>> with(ClientProtocol nameNode, Collection<XAttr> ofRoot, String folder) throws IOException {
        Map<String, byte[]> lists = named(ofRoot);
        lists.keySet().removeIf(one -> !hasFolders.test(one));
        Set<String> folders = folders(lists);
        if (!folders.add(folder)) {
            return Optional.of(Collections.emptyList());
        }
        List<byte[]> values = divided(folders);
        if (values.size() > MOST) {
            Set<String> left = withMark(nameNode, folders);
            left.add(folder);
            values = divided(left);
        }
        String next = name.apply(UUID.randomUUID().toString());
        return values.size() > MOST
                ? Optional.empty()
                : Optional.of(values.stream()
                        .map(value -> XAttrHelper.buildXAttr(next, value))
                        .collect(Collectors.toList()));
    }

    boolean has(ClientProtocol nameNode, String folder) throws IOException {
        return folders(lists(nameNode)).contains(folder);
    }

    /** Removes a folder, if it is listed. */
    void remove(ClientProtocol nameNode, String folder) throws IOException {
        Map<String, byte[]> lists = withoutCovered(nameNode, lists(nameNode));
        Set<String> folders = folders(lists);
        if (folders.remove(folder)) {
            replace(nameNode, lists.keySet(), folders);
        }
    }

    /**
     * Writes the lists again, as few as there can be. What others add meanwhile is in a list of its own, and stays;
     * what they remove may come back, which does no harm. So it is after a crash between the two steps.
     *
     * @return false if there would be too many; nothing has changed then
     */
    private boolean replace(ClientProtocol nameNode, Set<String> lists, Set<String> folders) throws IOException {
        List<byte[]> values = divided(folders);
        if (values.size() > MOST) {
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
     * Removes lists that say nothing new, as a command leaves them that ends while it writes lists again: the next one
     * would find no room. Those go that others with greater names cover: so of two commands that do this at the same
     * time neither removes what the other relies on.
     */
    private static Map<String, byte[]> withoutCovered(ClientProtocol nameNode, Map<String, byte[]> lists)
            throws IOException {
        Map<String, byte[]> left = new TreeMap<>(lists);
        Set<String> greater = new HashSet<>();
        for (String list : new TreeMap<>(lists).descendingKeySet()) {
            Set<String> folders = MovedMark.folders(lists.get(list));
            if (greater.containsAll(folders)) {
                removeList(nameNode, list);
                left.remove(list);
            }
            greater.addAll(folders);
        }
        return left;
    }

    /** The folders in lists that HDFS takes. */
    private static List<byte[]> divided(Set<String> folders) {
        List<byte[]> values = new ArrayList<>();
        Set<String> together = new TreeSet<>();
        for (String folder : folders) {
            together.add(folder);
            if (MovedMark.folders(together).length > LONGEST) {
                together.remove(folder);
                values.add(MovedMark.folders(together));
                together.clear();
                together.add(folder);
            }
        }
        if (!together.isEmpty()) {
            values.add(MovedMark.folders(together));
        }
        return values;
    }

    /** Removes a list, which others may have replaced, too. */
    private static void removeList(ClientProtocol nameNode, String list) throws IOException {
        try {
            nameNode.removeXAttr(ROOT, XAttrHelper.buildXAttr(list));
        } catch (RemoteException e) {
            if (attributes(nameNode, ROOT).containsKey(list)) {
                throw e;
            }
        }
    }

    private static Set<String> folders(Map<String, byte[]> lists) {
        Set<String> folders = new TreeSet<>();
        for (byte[] one : lists.values()) {
            folders.addAll(MovedMark.folders(one));
        }
        return folders;
    }

    private Map<String, byte[]> lists(ClientProtocol nameNode) throws IOException {
        Map<String, byte[]> lists = attributes(nameNode, ROOT);
        lists.keySet().removeIf(name -> !hasFolders.test(name));
        return lists;
    }

    /** The attributes of a folder by their full names. */
    static Map<String, byte[]> attributes(ClientProtocol nameNode, String folder) throws IOException {
        return named(nameNode.getXAttrs(folder, null));
    }

    private static Map<String, byte[]> named(Collection<XAttr> all) {
        Map<String, byte[]> attributes = new TreeMap<>();
        for (XAttr one : all) {
            byte[] value = one.getValue();
            attributes.put(XAttrHelper.getPrefixedName(one), value == null ? new byte[0] : value);
        }
        return attributes;
    }
}
