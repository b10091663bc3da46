package io.sluice.server;

import io.sluice.persistence.Keyspace;
import io.sluice.persistence.KeyspaceLimits;
import io.sluice.persistence.snapshot.SnapshotException;
import io.sluice.persistence.snapshot.SnapshotLoader;
import io.sluice.persistence.store.ChronicleStore;
import io.sluice.persistence.store.HeapStore;
import io.sluice.persistence.store.MapFileCheck;
import io.sluice.persistence.store.StoreConfig;
import io.sluice.persistence.store.StoreOpenException;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code sluice-check}: looks through snapshots and map files of a server that is not running. Nothing is changed
 * unless it is told to repair a data directory.
 */
final class FileCheck {
    static final int SOUND = 0;
    static final int USAGE = 1;

    private static final String TEXT = """
            Usage: sluice-check FILE|DIRECTORY ...
                   sluice-check --repair DIRECTORY

            Checks snapshots (.rdb) and map files (keyspace-*.map), or all of them in a data directory, and names the
            offset of damage. Changes nothing: a sound map file is also opened in a copy, for which there must be room
            on the disk of the temporary directory.

              --repair   opens the map files of a data directory as the server would with damaged-files set-aside:
                         damaged files get another name, what is sound in them is copied into new ones

            Exit codes: 0 sound, 1 wrong use, 65 damaged, 66 no such file, 71 in use by a server.""";
    private static final int DATABASES_MAX = 128;
    private static final int NO_INPUT = 66;
    private static final int DAMAGED = 65;

    private final PrintStream out;

    FileCheck(PrintStream out) {
        this.out = out;
    }

    /** Checks what the arguments name. Returns the exit code. */
    int run(String... args) {
        if (args.length == 0 || args[0].startsWith("--") && !"--repair".equals(args[0])) {
            out.println(TEXT);
            return args.length > 0 && "--help".equals(args[0]) ? SOUND : USAGE;
        }
        try {
            if ("--repair".equals(args[0])) {
                return args.length == 2 ? repair(Path.of(args[1])) : USAGE;
            }
            int code = SOUND;
            for (String arg : args) {
                code = Math.max(code, check(Path.of(arg)));
            }
            return code;
        } catch (StoreOpenException e) {
            out.println(e.getMessage());
            return e.reason().exitCode();
        } catch (IOException e) {
            out.println("Cannot read: " + e);
            return NO_INPUT;
        }
    }

    private int check(Path path) throws IOException, StoreOpenException {
        if (!Files.exists(path)) {
            out.println(path + ": no such file");
            return NO_INPUT;
        }
        if (!Files.isDirectory(path)) {
            return path.getFileName().toString().endsWith(".map") ? checkMap(path) : checkSnapshot(path);
        }
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(path, "*.{map,rdb}")) {
            found.forEach(files::add);
        }
        files.sort(null);
        int code = SOUND;
        for (Path file : files) {
            code = Math.max(code, check(file));
        }
        return code;
    }

    private int checkSnapshot(Path path) throws IOException {
        try (HeapStore store = new HeapStore(1); FileChannel channel = FileChannel.open(path)) {
            long nowNs = new ServerClock().epochNs();
            Keyspace like = new Keyspace(store, DATABASES_MAX, KeyspaceLimits.NONE, nowNs);
            SnapshotLoader.Report report = SnapshotLoader.check(channel, like, nowNs);
            out.println(path + ": sound, " + report.loaded() + " keys, " + report.expired() + " expired ones, "
                    + report.bytes() + " bytes" + (report.skipped().isEmpty() ? ""
                            : ", not held by Sluice: " + report.skipped()));
            return SOUND;
        } catch (SnapshotException e) {
            out.println(path + ": damaged, " + e.getMessage());
            return DAMAGED;
        }
    }

    private int checkMap(Path path) throws IOException, StoreOpenException {
        MapFileCheck.Report report = MapFileCheck.check(path);
        for (MapFileCheck.Finding finding : report.findings()) {
            out.println(path + ": at offset " + finding.offset() + ": " + finding.text());
        }
        boolean sound = report.findings().isEmpty();
        out.println(path + ": " + (sound ? "sound" : "damaged") + ", " + report.keys() + " keys, " + report.bytes()
                + " bytes");
        return sound ? SOUND : DAMAGED;
    }

    private int repair(Path directory) throws IOException, StoreOpenException {
        if (!ChronicleStore.exists(directory)) {
            out.println(directory + ": no map files");
            return NO_INPUT;
        }
        StoreConfig config = new StoreConfig(directory, StoreConfig.INITIAL_KEYS_DEFAULT, 0, 0, true);
        try (ChronicleStore store = ChronicleStore.open(config)) {
            var report = store.recovery();
            out.println(directory + ": " + report.keys() + " keys, " + report.dropped() + " unsound entries removed, "
                    + report.repairs() + " repairs" + (report.setAside().isEmpty() ? ""
                            : ", set aside: " + String.join(", ", report.setAside())));
        }
        return SOUND;
    }
}
