package io.sluice.persistence.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import static io.sluice.persistence.store.StoreOpenException.Reason.DAMAGED;
import static io.sluice.persistence.store.StoreOpenException.Reason.NOT_WRITABLE;

/** Opens a data directory: refuses it, makes it, opens or recovers its files. Used once. */
final class StoreOpening {

    private static final DateTimeFormatter ASIDE_TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS");
    /** Keys of a full shard that is aimed at: going through one is then a small slice of work. */
    private static final int KEYS_PER_SHARD = 256;
    private static final int SHARD_BITS_MIN = 10;
    /** What is reckoned with when the configuration sets no limits. */
    private static final long KEYS_EXPECTED = 4_000_000;
    private static final int BYTES_PER_KEY = 64;

    private final StoreConfig config;
    private final Path directory;
    private final Path statePath;
    private final MapFiles files;
    private final List<Generation> opened = new ArrayList<>();
    private final List<String> damages = new ArrayList<>();
    private final List<Path> damagedFiles = new ArrayList<>();
    /** Damaged files of which there is something to save. */
    private final List<MapFiles.Found> salvageable = new ArrayList<>();
    private final List<String> setAside = new ArrayList<>();
    private final String asideTime = LocalDateTime.now(ZoneOffset.UTC).format(ASIDE_TIME);
    private EntryLoading loading;
    private long leftOut;
    private boolean created;
    private long repairs;

    StoreOpening(final StoreConfig config, final MapFiles.DiskSpace diskSpace) {
        this.config = config;
        directory = config.directory();
        statePath = directory.resolve(StateFile.NAME);
        files = new MapFiles(directory, diskSpace);
    }

    ChronicleStore open() throws StoreOpenException {
        // A lock left in a file is then an error within a second, where the library would wait for a minute.
        setDefault("net.openhft.chronicle.map.lockTimeoutSeconds", "1");
        setDefault("chronicle.analytics.disable", "true");
        DirectoryLock lock = null;
        StateFile state = null;
        try {
            Files.createDirectories(directory);
            StateFile.checkVersion(statePath);
            lock = DirectoryLock.acquire(directory);
            final List<MapFiles.Found> found = files.find();
            state = openState(found);
            return open(lock, state, found);
        } catch (final IOException e) {
            release(lock, state);
            throw new StoreOpenException(
                NOT_WRITABLE, "cannot use directory " + directory + ": " + describe(e), e);
        } catch (final StoreOpenException | RuntimeException | Error e) {
            release(lock, state);
            throw e;
        }
    }

    private StateFile openState(final List<MapFiles.Found> found) throws IOException, StoreOpenException {
        created = found.isEmpty() && !Files.exists(statePath);
        if (created) {
            files.checkSpace(SizeClass.SMALL.fileBytes(initialSegments()));
            StateFile.create(statePath);
        }
        try {
            return StateFile.open(statePath);
        } catch (final IOException e) {
            damages.add(statePath.getFileName() + ": " + describe(e));
            if (Files.exists(statePath)) {
                damagedFiles.add(statePath);
            }
            giveUpUnlessExpendable();
            setDamagedAside();
            StateFile.create(statePath);
            final StateFile state = StateFile.open(statePath);
            state.markClean(false);
            return state;
        }
    }

    private ChronicleStore open(final DirectoryLock lock, final StateFile state, final List<MapFiles.Found> found)
        throws IOException, StoreOpenException {
        final long startNs = System.nanoTime();
        final boolean clean = state.isClean();
        // All are looked at before any is opened, since opening may change it.
        noteMissing(state, found);
        found.forEach(file -> check(file, clean));
        giveUpUnlessExpendable();
        if (!salvageable.isEmpty()) {
            state.markClean(false);
            for (final MapFiles.Found file : salvageable) {
                final Path aside = aside(file.path());
                leftOut += files.salvage(file, aside);
                setAside.add(aside.getFileName().toString());
            }
        }
        for (final MapFiles.Found file : found) {
            if (!damagedFiles.contains(file.path())) {
                openFile(file, clean && !salvageable.contains(file));
            }
        }
        load(state);
        giveUpUnlessExpendable();
        state.markClean(false);
        setDamagedAside();
        forgetLost(state);
        final boolean sameMachineStart = state.isSameMachineStart();
        if (!setAside.isEmpty() || !clean && !sameMachineStart) {
            state.forgetReplication();
        }
        loading.settle();
        final ChronicleStore store = assemble(lock, state, clean);
        final long millis = (System.nanoTime() - startNs) / 1_000_000;
        store.recovery(new RecoveryReport(
            created, clean, store.size(), store.bytesUsed(), leftOut + loading.dropped(),
            loading.surplus().size(), repairs, List.copyOf(setAside), millis));
        return store;
    }

    /** Makes the store of what was opened and loaded. */
    private ChronicleStore assemble(final DirectoryLock lock, final StateFile state, final boolean clean)
        throws IOException, StoreOpenException {
        final ExecutorService maker = Executors.newSingleThreadExecutor(task -> {
            final Thread thread = new Thread(task, "sluice-store-files");
            thread.setDaemon(true);
            return thread;
        });
        final Generations[] generations = new Generations[SizeClass.values().length];
        for (final SizeClass sizeClass : SizeClass.values()) {
            final int segments = sizeClass == SizeClass.SMALL ? initialSegments() : sizeClass.segmentsInitial;
            generations[sizeClass.ordinal()] = new Generations(sizeClass, segments, files, state, maker);
        }
        opened.forEach(file -> generations[file.sizeClass().ordinal()].add(file));
        final UndoFile undo = UndoFile.open(directory);
        final ChronicleStore store = new ChronicleStore(files, lock, state, undo, maker, generations, loading);
        store.limit(config.keysMax(), config.bytesMax());
        loading.surplus().forEach(store::discard);
        if (generations[SizeClass.SMALL.ordinal()].list().isEmpty()) {
            generations[SizeClass.SMALL.ordinal()].createFirst();
        }
        if (clean) {
            // An image that is there all the same is older than the values: it does not reach the disk with them.
            undo.drop();
        } else if (undo.restore(store)) {
            repairs++;
        }
        return store;
    }

    /** Looks through a file and notes the first thing that is wrong with it. Changes nothing. */
    private void check(final MapFiles.Found file, final boolean clean) {
        final List<String> wrong = new ArrayList<>(1);
        final MapFileScan.Rule rule = clean ? MapFileScan.Rule.AT_REST : MapFileScan.Rule.BOUNDED;
        try {
            MapFileScan.check(file.path(), file.sizeClass(), rule, (offset, text) -> {
                if (wrong.isEmpty()) {
                    wrong.add(text + " at byte " + offset);
                }
            });
        } catch (final IOException e) {
            noteDamaged(file.path(), e);
            return;
        }
        if (!wrong.isEmpty()) {
            damages.add(file.path().getFileName() + ": " + wrong.get(0));
            salvageable.add(file);
        }
    }

    private void noteDamaged(final Path file, final Throwable e) {
        damages.add(file.getFileName() + ": " + describe(e));
        damagedFiles.add(file);
    }

    private void openFile(final MapFiles.Found file, final boolean clean) {
        try {
            opened.add(clean ? files.open(file) : files.recover(file, corruption -> repairs++));
        } catch (final IOException | RuntimeException | AssertionError | InternalError e) {
            noteDamaged(file.path(), e);
        }
    }

    /** Goes through all files; anew without one that cannot be read. */
    private void load(final StateFile state) {
        Generation damaged;
        do {
            damaged = null;
            loading = new EntryLoading(new AddressIndex(shardBits()), state.seed());
            for (final Generation file : opened) {
                try {
                    loading.read(file);
                } catch (final RuntimeException | AssertionError | InternalError e) {
                    noteDamaged(file.path(), e);
                    damaged = file;
                    break;
                }
            }
            if (damaged != null) {
                loading.index().close();
                opened.remove(damaged);
                damaged.close();
            }
        } while (damaged != null);
    }

    private void noteMissing(final StateFile state, final List<MapFiles.Found> found) {
        for (final SizeClass sizeClass : SizeClass.values()) {
            for (int i = 0; i < Generations.GENERATIONS_MAX; i++) {
                final int number = i;
                if (state.hasGeneration(sizeClass, number)
                    && found.stream().noneMatch(file -> file.sizeClass() == sizeClass && file.number() == number)) {
                    damages.add(MapFiles.name(sizeClass, number) + ": is missing");
                }
            }
        }
    }

    private void forgetLost(final StateFile state) {
        for (final SizeClass sizeClass : SizeClass.values()) {
            for (int i = 0; i < Generations.GENERATIONS_MAX; i++) {
                final int number = i;
                if (state.hasGeneration(sizeClass, number)
                    && opened.stream().noneMatch(file -> file.sizeClass() == sizeClass && file.number() == number)) {
                    state.removeGeneration(sizeClass, number);
                }
            }
        }
    }

    private void giveUpUnlessExpendable() throws StoreOpenException {
        if (!damages.isEmpty() && !config.expendDamaged()) {
            throw new StoreOpenException(
                DAMAGED, "damaged files in " + directory + ": " + String.join("; ", damages)
                    + ". They have been left as they are; 'damaged-files set-aside' starts with what is sound");
        }
    }

    private void setDamagedAside() throws IOException {
        for (final Path file : damagedFiles) {
            final Path aside = aside(file);
            if (Files.exists(aside)) {
                // This is the copy that was to save something of it.
                Files.delete(file);
            } else {
                Files.move(file, aside);
                setAside.add(aside.getFileName().toString());
            }
        }
        damagedFiles.clear();
    }

    private Path aside(final Path file) {
        return file.resolveSibling(file.getFileName() + ".damaged-" + asideTime);
    }

    private int initialSegments() {
        final long perSegment = SizeClass.SMALL.entriesPerSegment;
        return (int) Math.min(Integer.MAX_VALUE, (config.initialKeys() + perSegment - 1) / perSegment);
    }

    private int shardBits() {
        final long keys = config.keysMax() != 0 ? config.keysMax()
            : config.bytesMax() != 0 ? config.bytesMax() / BYTES_PER_KEY : KEYS_EXPECTED;
        final int bits = 64 - Long.numberOfLeadingZeros(keys / KEYS_PER_SHARD);
        return Math.max(SHARD_BITS_MIN, Math.min(AddressIndex.SHARD_BITS_MAX, bits));
    }

    private void release(final DirectoryLock lock, final StateFile state) {
        opened.forEach(Generation::close);
        if (loading != null) {
            loading.index().close();
        }
        if (state != null) {
            state.close();
        }
        if (lock != null) {
            lock.close();
        }
    }

    private static void setDefault(final String property, final String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private static String describe(final Throwable e) {
        if (e instanceof NoSuchFileException missing) {
            return missing.getFile() + ": No such file or directory";
        }
        if (e instanceof AccessDeniedException denied) {
            return denied.getFile() + ": Permission denied";
        }
        if (e instanceof FileSystemException file && file.getReason() != null) {
            return file.getFile() + ": " + file.getReason();
        }
        if (e.getClass() == IOException.class && e.getMessage() != null) {
            return e.getMessage();
        }
        return e.getClass().getSimpleName() + (e.getMessage() == null ? "" : " " + e.getMessage());
    }
}
