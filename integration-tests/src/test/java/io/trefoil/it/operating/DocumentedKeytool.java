/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.operating;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The {@code keytool} commands of {@code security.md}, typed as the page has them: those of the authority once, in one
 * directory, and those of a host for each host; and the settings that name the stores. Only names, directories and
 * passwords differ.
 */
public final class DocumentedKeytool {
    /** A word, or words in quotes. */
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    private static final String HOST_OF_THE_PAGE = "nn1.example.com";
    private static final String STEPS = "The pool by TLS";

    private final OperatorsPage text;
    private final List<String> commands;
    private final Path directory;

    private DocumentedKeytool(OperatorsPage text, Path directory) {
        this.text = text;
        this.commands = text.commandsBeginningWith("keytool ");
        this.directory = directory;
    }

    /** Makes the authority and the trust store, {@code authority.p12} and {@code truststore.p12}. */
    public static DocumentedKeytool createIn(Path directory) throws IOException, InterruptedException {
        DocumentedKeytool page =
                new DocumentedKeytool(OperatorsPage.read("security.md"), Files.createDirectories(directory));
        for (String command : page.commands) {
            if (!isOfHost(command)) {
                page.runCommand(command);
            }
        }
        return page;
    }

    public Path authority() {
        return directory.resolve("authority.p12");
    }

    public Path truststore() {
        return directory.resolve("truststore.p12");
    }

    /** Makes the keystore of a host. */
    public Path createKeystore(String name, String address) throws IOException, InterruptedException {
        Path keystore = directory.resolve("keystore.p12");
        Files.deleteIfExists(keystore);
        for (String command : commands) {
            if (isOfHost(command)) {
                runCommand(command.replace("dns:" + HOST_OF_THE_PAGE, "ip:" + address)
                        .replace(HOST_OF_THE_PAGE, address)
                        .replace("-alias nn1", "-alias " + name));
            }
        }
        return Files.move(keystore, directory.resolve(name + ".p12"));
    }

    /** The settings of all hosts of a new cluster. */
    public Map<String, String> clusterSettings() {
        return settings(key -> !key.startsWith("ssl."), value -> value);
    }

    /** The {@code ssl-server.xml} settings for the host of a keystore. */
    public Map<String, String> hostSettings(Path keystore) {
        return settings(key -> key.startsWith("ssl.server."), value -> value.replace(
                        "/etc/security/ssl/keystore.p12", keystore.toString())
                .replace("/etc/security/ssl/truststore.p12", truststore().toString())
                .replace("the-password", TestCertificates.PASSWORD));
    }

    private Map<String, String> settings(Predicate<String> predicate, UnaryOperator<String> translation) {
        Map<String, String> settings = new LinkedHashMap<>();
        text.properties(STEPS).forEach((key, value) -> {
            if (predicate.test(key)) {
                settings.put(key, translation.apply(value));
            }
        });
        assertThat(settings).isNotEmpty();
        return settings;
    }

    private static boolean isOfHost(String command) {
        return command.contains("nn1") || command.contains("-keystore keystore.p12");
    }

    private void runCommand(String command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        for (Matcher word = WORD.matcher(command); word.find(); ) {
            words.add(word.group(1) == null ? word.group(2) : word.group(1));
        }
        words.set(0, Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        words.addAll(List.of("-storepass", TestCertificates.PASSWORD));
        Path said = directory.resolve("keytool.log");
        Process keytool = new ProcessBuilder(words)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(keytool.waitFor())
                .as("%s: %s", command, Files.readString(said))
                .isZero();
    }
}
