/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;

/**
 * The checksum of a tree: the sum of the SHA-256 of each path with its node. An update for a few changes takes as long
 * as these, and another process can tell whether a tree that it reads is the one that was moved. Another release may
 * compute another number: then equal trees look different, not the other way round. Immutable.
 */
final class TreeChecksum {

    private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(256);

    private final BigInteger sum;

    private TreeChecksum(BigInteger sum) {
        this.sum = sum.mod(MODULUS);
    }

    static TreeChecksum of(SortedMap<String, TreeNode> tree) {
        return new TreeChecksum(BigInteger.ZERO).withReplacedNodes(Collections.emptyMap(), tree, tree.keySet());
    }

    /** The checksum of a tree that differs only at these paths. */
    TreeChecksum withReplacedNodes(
            Map<String, TreeNode> earlierNodes, Map<String, TreeNode> newNodes, Collection<String> paths) {
        MessageDigest digest = sha256();
        BigInteger next = sum;
        for (String path : paths) {
            next = next.subtract(nodeHash(path, earlierNodes, digest)).add(nodeHash(path, newNodes, digest));
        }
        return new TreeChecksum(next);
    }

    private static BigInteger nodeHash(String path, Map<String, TreeNode> tree, MessageDigest digest) {
        TreeNode node = tree.get(path);
        return node == null
                ? BigInteger.ZERO
                : new BigInteger(1, digest.digest((path + "\0" + node).getBytes(StandardCharsets.UTF_8)));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Each Java platform has SHA-256", e);
        }
    }

    /** The checksum in hexadecimal. */
    @Override
    public String toString() {
        return sum.toString(16);
    }
}
