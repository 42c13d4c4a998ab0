/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import io.trefoil.tools.cluster.HostPlan;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

/** Checks whether the NameNode will accept its settings: reads all of ours like it does. */
final class SettingsCheck implements Check {
    @Override
    public String name() {
        return "settings";
    }

    @Override
    public List<PreflightFinding> check(HostPlan plan) {
        if (plan.settingErrors().isEmpty()) {
            return Collections.singletonList(PreflightFinding.ok("the NameNode takes its settings"));
        }
        return plan.settingErrors().stream()
                .map(fault -> PreflightFinding.problem(fault.text(), fault.remedy()))
                .collect(Collectors.toList());
    }
}
