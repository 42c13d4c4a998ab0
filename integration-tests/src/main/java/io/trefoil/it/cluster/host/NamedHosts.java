/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import io.trefoil.it.process.faults.Impairment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Hosts that know each other by names, which each reads from its own file, mounted over {@code /etc/hosts}.
 * Servers are configured by names; the harness uses addresses. Servers on the host of the harness know no names.
 */
public final class NamedHosts implements Network {
    private static final Path HOSTS = Path.of("/etc/hosts");

    private final Network hosts;
    private final Path directory;
    /** The name of each server's host, by its current and former addresses. */
    private final Map<String, String> names = new LinkedHashMap<>();

    private final List<String> servers = new ArrayList<>();

    /** @param directory for the files */
    public NamedHosts(Network hosts, Path directory) {
        this.hosts = hosts;
        this.directory = directory;
    }

    @Override
    public void join(List<String> joining) {
        hosts.join(joining);
        for (String server : joining) {
            servers.add(server);
            names.put(hostOf(server), name(server));
        }
        servers.forEach(server -> write(server, servers));
    }

    /** Makes each host know only its own name from now on. */
    public void breakNameResolution() {
        servers.forEach(server -> write(server, List.of(server)));
    }

    /** Makes the server's host vanish silently, and reappear under its name, but at another address, with the next start. */
    public void moveHost(String server) {
        unplug(server);
        String next = server + "-moved";
        hosts.join(List.of(next));
        hosts.shareHost(next, List.of(server));
        names.put(hostOf(server), name(server));
        servers.forEach(other -> write(other, servers));
    }

    private static String name(String server) {
        return server + ".trefoil.test";
    }

    private Path file(String server) {
        return directory.resolve(server + ".hosts");
    }

    private void write(String server, List<String> known) {
        try {
            StringBuilder text = new StringBuilder(Files.readString(HOSTS)).append('\n');
            known.forEach(other ->
                    text.append(hostOf(other)).append(' ').append(name(other)).append('\n'));
            // In place, since the file is mounted.
            Files.writeString(file(server), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Map<String, String> translate(Map<String, String> properties) {
        Map<String, String> named = new LinkedHashMap<>(properties);
        names.forEach((address, name) -> {
            Pattern whole = Pattern.compile(Pattern.quote(address) + "(?![0-9])");
            named.replaceAll((key, value) -> whole.matcher(value).replaceAll(name));
        });
        return named;
    }

    @Override
    public List<String> commandPrefix(String server) {
        List<String> prefix = new ArrayList<>(hosts.commandPrefix(server));
        if (servers.contains(server)) {
            prefix.addAll(List.of(
                    "unshare",
                    "--mount",
                    "sh",
                    "-c",
                    "mount --bind '" + file(server) + "' " + HOSTS + " && exec \"$@\"",
                    "sh"));
        }
        return prefix;
    }

    @Override
    public void shareHost(String host, List<String> sharing) {
        hosts.shareHost(host, sharing);
    }

    @Override
    public String hostOf(String server) {
        return hosts.hostOf(server);
    }

    @Override
    public void cutOneWay(String from, String to) {
        hosts.cutOneWay(from, to);
    }

    @Override
    public void healOneWay(String from, String to) {
        hosts.healOneWay(from, to);
    }

    @Override
    public void refuseOneWay(String from, String to) {
        hosts.refuseOneWay(from, to);
    }

    @Override
    public void acceptOneWay(String from, String to) {
        hosts.acceptOneWay(from, to);
    }

    @Override
    public void impairOneWay(String from, String to, Impairment impairment) {
        hosts.impairOneWay(from, to, impairment);
    }

    @Override
    public void repairOneWay(String from, String to) {
        hosts.repairOneWay(from, to);
    }

    @Override
    public void unplug(String server) {
        hosts.unplug(server);
    }

    @Override
    public void plugIn(String server) {
        hosts.plugIn(server);
    }

    @Override
    public void close() {
        hosts.close();
    }
}
