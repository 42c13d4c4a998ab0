/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.clients;

import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.RollingUpgradeAction;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;

/** Calls that HDFS executes again when they are retried, and what must hold after one execution and after ten. */
final class ReexecutedCalls {
    private static final String FILE = "/pipeline";

    private final Map<MutatingCalls.Call, MutatingCalls.Body> calls = new LinkedHashMap<>();
    private LocatedBlock block;
    private Token<DelegationTokenIdentifier> token;
    private Token<DelegationTokenIdentifier> cancelled;

    /** Creates what the calls need. */
    ReexecutedCalls(ClientProtocol nameNode) throws Exception {
        nameNode.create(
                FILE,
                new FsPermission((short) 0644),
                MutatingCalls.HOLDER,
                new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE), CreateFlag.class),
                true,
                (short) 1,
                1 << 20,
                new CryptoProtocolVersion[0],
                null,
                null);
        block = nameNode.addBlock(
                FILE, MutatingCalls.HOLDER, null, null, HdfsConstants.GRANDFATHER_INODE_ID, null, null);
        Text renewer = new Text(UserGroupInformation.getCurrentUser().getShortUserName());
        token = nameNode.getDelegationToken(renewer);
        cancelled = nameNode.getDelegationToken(renewer);

        add(
                "updateBlockForPipeline",
                node -> node.updateBlockForPipeline(block.getBlock(), MutatingCalls.HOLDER)
                        .getBlock()
                        .getBlockId(),
                node -> node.getBlockLocations(FILE, 0, 1)
                        .getLastLocatedBlock()
                        .getBlock()
                        .getGenerationStamp());
        add(
                "rollEdits",
                node -> {
                    node.rollEdits();
                    return "";
                },
                node -> node.getFileInfo(FILE).getFileId());
        add(
                "finalizeUpgrade",
                node -> {
                    node.finalizeUpgrade();
                    return "";
                },
                ClientProtocol::upgradeStatus);
        add(
                "rollingUpgrade",
                node -> node.rollingUpgrade(RollingUpgradeAction.PREPARE).getStartTime(),
                node -> node.rollingUpgrade(RollingUpgradeAction.QUERY).getStartTime());
        add(
                "getDelegationToken",
                node -> node.getDelegationToken(renewer).getKind(),
                node -> node.renewDelegationToken(token) > 0);
        add(
                "renewDelegationToken",
                node -> node.renewDelegationToken(token) > System.currentTimeMillis(),
                node -> node.renewDelegationToken(token) > 0);
        add(
                "cancelDelegationToken",
                node -> {
                    node.cancelDelegationToken(cancelled);
                    return "";
                },
                this::renewCancelledToken);
        add(
                "createSymlink",
                node -> {
                    node.createSymlink("/target", "/link", new FsPermission((short) 0777), false);
                    return "";
                },
                node -> node.getFileInfo("/link"));
    }

    private String renewCancelledToken(ClientProtocol nameNode) {
        try {
            return "lives for " + nameNode.renewDelegationToken(cancelled);
        } catch (Exception gone) {
            return "gone";
        }
    }

    private void add(String method, MutatingCalls.Body body, MutatingCalls.Body state) {
        calls.put(new MutatingCalls.Call(method, node -> "", body), state);
    }

    /** Each call with what a repetition must not change, as text. */
    Map<MutatingCalls.Call, MutatingCalls.Body> all() {
        return Collections.unmodifiableMap(calls);
    }
}
