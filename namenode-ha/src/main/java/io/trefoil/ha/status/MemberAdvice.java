/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.status;

import io.trefoil.ha.model.MemberReasons;
import java.util.LinkedHashMap;
import java.util.Map;

/** The advice about a NameNode that is not a standby, by the reason that it reports. */
final class MemberAdvice {
    private static final String OTHERWISE = "Check that host: its log and 'hdfs trefoil preflight' there say more";

    /** The advice by reason, in the order of search; a reason contains one of these words. */
    private static final Map<String, String> ADVICE_BY_REASON = new LinkedHashMap<>();

    static {
        ADVICE_BY_REASON.put(
                MemberReasons.NO_SPACE,
                "Free some space on that volume, or enlarge it; the NameNode is fit again within a minute, or, if it was"
                        + " active, after 'hdfs dfsadmin -safemode leave'");
        ADVICE_BY_REASON.put(
                MemberReasons.STUCK,
                "Take its thread dump ('jstack', or its page /stacks) for an issue, then restart it");
        ADVICE_BY_REASON.put(
                MemberReasons.DISK_SILENT,
                "Check that disk ('dmesg', SMART); the journal goes on with the other replicas");
        ADVICE_BY_REASON.put(
                MemberReasons.DOUBLED,
                "Nothing right after a restart; otherwise stop the other process, on the host whose configuration has the"
                        + " same dfs.ha.namenode.id");
        ADVICE_BY_REASON.put(
                MemberReasons.SAFE_MODE,
                "Wait until DataNodes have reported its blocks ('hdfs dfsadmin -safemode get', and its page /dfshealth.html,"
                        + " say how many are missing); if an operator ordered it, 'hdfs dfsadmin -safemode leave'");
        ADVICE_BY_REASON.put(
                MemberReasons.REPLICA_BEHIND,
                "Wait: it is sent what it lacks; if that does not end, its disk or network is too slow for the load");
        ADVICE_BY_REASON.put(
                MemberReasons.BEHIND,
                "Wait while its LAG falls; if it does not, its disk or CPU is too slow, or it lacks an image, which"
                        + " 'hdfs trefoil renew' on its host fetches");
        ADVICE_BY_REASON.put(MemberReasons.STARTING, "Wait; if that does not end, see its log");
    }

    private MemberAdvice() {}

    /** The advice, a sentence without its full stop. */
    static String of(String reason) {
        for (Map.Entry<String, String> each : ADVICE_BY_REASON.entrySet()) {
            if (reason.contains(each.getKey())) {
                return each.getValue();
            }
        }
        return OTHERWISE;
    }

    static String ofSilent(MemberObservation.Failover failover) {
        switch (failover) {
            case ZKFC:
                return "A ZKFC decides about it: 'hdfs --daemon stop zkfc' on its host, then add"
                        + " io.trefoil.ha.hdfs.MamsPlugin to its dfs.namenode.plugins and restart it";
            case NONE:
                return "It takes part in no election: add io.trefoil.ha.hdfs.MamsPlugin to its dfs.namenode.plugins, and restart it";
            default:
                return "Start it, or see its log";
        }
    }
}
