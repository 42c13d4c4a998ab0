/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import io.trefoil.tools.cluster.HostPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosPrincipal;
import javax.security.auth.kerberos.KeyTab;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import javax.security.auth.login.LoginContext;
import javax.security.auth.login.LoginException;

/** Checks keytabs, with Kerberos: whether they exist and have the keys of this host's principal, and whether the KDC accepts these. */
final class KeytabsCheck implements Check {
    private static final String NAME = "trefoil-preflight";

    @Override
    public String name() {
        return "keytabs";
    }

    @Override
    public List<PreflightFinding> check(HostPlan plan) {
        List<PreflightFinding> findings = new ArrayList<>();
        for (HostPlan.Login login : plan.logins()) {
            findings.add(checkLogin(login));
        }
        return findings;
    }

    private static PreflightFinding checkLogin(HostPlan.Login login) {
        Path file = Paths.get(login.keytab());
        if (!Files.isReadable(file)) {
            return PreflightFinding.problem(
                    file + " (" + login.property() + ") is not there, or this user may not read it",
                    "install the keytab of " + login.principal() + " there, for the user of the NameNode alone");
        }
        KerberosPrincipal principal = new KerberosPrincipal(login.principal());
        if (KeyTab.getInstance(principal, file.toFile()).getKeys(principal).length == 0) {
            return PreflightFinding.problem(
                    file + " (" + login.property() + ") has no key of " + login.principal(),
                    "klist -kt " + file + " shows whose keys it has; is the name that of this host?");
        }
        try {
            logIn(login);
        } catch (LoginException e) {
            return PreflightFinding.problem(
                    login.principal() + " cannot log in with " + file + ": " + e.getMessage(),
                    "try kinit -kt " + file + " " + login.principal()
                            + "; check the KDC's current keys, its address in krb5.conf, and the clocks");
        }
        return isReadByOthers(file)
                ? PreflightFinding.note(
                        file + " can be read by all users, which can then log in as " + login.principal(),
                        "chmod 400 " + file)
                : PreflightFinding.ok(login.principal() + " logs in with " + file);
    }

    private static boolean isReadByOthers(Path file) {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            return permissions.contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException e) {
            // It could be read a moment ago, so an operator is replacing it now.
            return false;
        }
    }

    private static void logIn(HostPlan.Login login) throws LoginException {
        Map<String, String> options = new HashMap<>();
        options.put("useKeyTab", "true");
        options.put("keyTab", login.keytab());
        options.put("principal", login.principal());
        options.put("doNotPrompt", "true");
        options.put("refreshKrb5Config", "true");
        AppConfigurationEntry kerberos = new AppConfigurationEntry(
                "com.sun.security.auth.module.Krb5LoginModule",
                AppConfigurationEntry.LoginModuleControlFlag.REQUIRED,
                Collections.unmodifiableMap(options));
        LoginContext context = new LoginContext(NAME, new Subject(), null, new Configuration() {
            @Override
            public AppConfigurationEntry[] getAppConfigurationEntry(String name) {
                return new AppConfigurationEntry[] {kerberos};
            }
        });
        context.login();
        context.logout();
    }
}
