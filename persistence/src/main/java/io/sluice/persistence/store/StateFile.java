package io.sluice.persistence.store;

import io.sluice.persistence.FileReplacement;
import org.agrona.BufferUtil;
import org.agrona.IoUtil;
import org.agrona.UnsafeApi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;

import static org.agrona.UnsafeApi.getByte;
import static org.agrona.UnsafeApi.getInt;
import static org.agrona.UnsafeApi.getLong;
import static org.agrona.UnsafeApi.putByte;
import static org.agrona.UnsafeApi.putInt;
import static org.agrona.UnsafeApi.putLong;
import static org.agrona.UnsafeApi.putLongRelease;

/**
 * The mapped file {@code keyspace.state}: one page, little-endian.
 *
 * <pre>
 *     0  8  magic                     record:
 *     8  4  format version              0    8  sequence, 0 while it is being written
 *    12  4  1 after a clean stop        8    8  checksum of the sequence and the rest
 *    16  8  hash seed                  16   24  files that are there, one bit each, by size class
 *    24  4  1 while a unit is applied  40    8  replication offset
 *    28  4  1 while being filled       48   40  replication id
 *    32  8  which start of the machine 88    4  database that the replication stream has selected
 *    40  8  offset reached at most     92    4  zero
 *    48 16  zero                       96  256  space of each database
 *    64     record A
 *   512     record B
 * </pre>
 *
 * The sound record with the higher sequence counts; a change writes the other one.
 */
final class StateFile implements StoreState, AutoCloseable {

    static final String NAME = "keyspace.state";
    static final int FORMAT_VERSION = 1;

    /** "SLUICEST". */
    private static final long MAGIC = 0x54_53_45_43_49_55_4C_53L;
    private static final int FILE_BYTES = 4_096;
    private static final int VERSION = 8;
    private static final int CLEAN = 12;
    private static final int SEED = 16;
    private static final int APPLYING = 24;
    private static final int FILLING = 28;
    private static final int MACHINE_START = 32;
    private static final int REACH = 40;
    private static final int RECORD_A = 64;
    private static final int RECORD_B = 512;
    private static final int RECORD_BYTES = 352;

    private static final int SEQUENCE = 0;
    private static final int CHECKSUM = 8;
    private static final int BODY = 16;
    private static final int FILES = 16;
    private static final int REPLICATION_OFFSET = 40;
    private static final int REPLICATION_ID = 48;
    private static final int REPLICATION_DB = 88;
    private static final int SPACE_OF_DATABASE = 96;
    private static final int SPACES = Store.SPACES;

    private final MappedByteBuffer buffer;
    private final long base;
    private long record;

    private StateFile(final Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            buffer = channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES);
        }
        base = BufferUtil.address(buffer);
        final boolean soundA = isSound(base + RECORD_A);
        final boolean soundB = isSound(base + RECORD_B);
        if (!soundA && !soundB) {
            IoUtil.unmap(buffer);
            throw new IOException("no sound record in " + path);
        }
        final boolean newerB = getLong(base + RECORD_B + SEQUENCE) > getLong(base + RECORD_A + SEQUENCE);
        record = base + (soundB && (newerB || !soundA) ? RECORD_B : RECORD_A);
    }

    /** Refuses a state file of another format version. Reads only; what is no state file at all passes. */
    static void checkVersion(final Path path) throws IOException, StoreOpenException {
        if (Files.exists(path) && isStateFile(path)) {
            final int version = readHead(path).getInt(VERSION);
            if (version != FORMAT_VERSION) {
                throw new StoreOpenException(
                    StoreOpenException.Reason.OTHER_VERSION,
                    path.getParent() + " has format version " + version + ", this program has version "
                        + FORMAT_VERSION);
            }
        }
    }

    private static boolean isStateFile(final Path path) throws IOException {
        return Files.size(path) == FILE_BYTES && readHead(path).getLong(0) == MAGIC;
    }

    private static ByteBuffer readHead(final Path path) throws IOException {
        final ByteBuffer head = ByteBuffer.allocate(CLEAN).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.read(head, 0);
        }
        return head;
    }

    /** Makes the state file of a new directory. */
    static void create(final Path path) throws IOException {
        final ByteBuffer page = ByteBuffer.allocateDirect(FILE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        page.putLong(0, MAGIC).putInt(VERSION, FORMAT_VERSION).putInt(CLEAN, 1);
        page.putLong(SEED, new SecureRandom().nextLong());
        for (int i = 0; i < SPACES; i++) {
            page.put(RECORD_A + SPACE_OF_DATABASE + i, (byte) i);
        }
        publish(BufferUtil.address(page) + RECORD_A, 1);
        final Path unfinished = path.resolveSibling(NAME + ".creating");
        Files.deleteIfExists(unfinished);
        try (FileChannel channel = FileChannel.open(
            unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            channel.write(page);
            channel.force(true);
        }
        FileReplacement.rename(unfinished, path);
    }

    /** Maps a state file. */
    static StateFile open(final Path path) throws IOException, StoreOpenException {
        checkVersion(path);
        if (!isStateFile(path)) {
            throw new IOException(path + " is no state file");
        }
        return new StateFile(path);
    }

    /** Whether the last user stopped cleanly, until the files are marked as in use. */
    boolean isClean() {
        return getInt(base + CLEAN) == 1;
    }

    /** Notes a clean stop, the last thing written, or that the files are in use. */
    void markClean(final boolean clean) {
        putInt(base + CLEAN, clean ? 1 : 0);
        sync();
    }

    void sync() {
        buffer.force();
    }

    long seed() {
        return getLong(base + SEED);
    }

    boolean hasGeneration(final SizeClass sizeClass, final int number) {
        return (generations(sizeClass) >>> number & 1) != 0;
    }

    void addGeneration(final SizeClass sizeClass, final int number) {
        if (!hasGeneration(sizeClass, number)) {
            setGenerations(sizeClass, generations(sizeClass) | 1L << number);
        }
    }

    void removeGeneration(final SizeClass sizeClass, final int number) {
        setGenerations(sizeClass, generations(sizeClass) & ~(1L << number));
    }

    private long generations(final SizeClass sizeClass) {
        return getLong(record + FILES + (long) sizeClass.ordinal() * Long.BYTES);
    }

    private void setGenerations(final SizeClass sizeClass, final long bits) {
        final long next = startRecord();
        putLong(next + FILES + (long) sizeClass.ordinal() * Long.BYTES, bits);
        finishRecord(next);
    }

    @Override
    public int spaceOf(final int database) {
        return getByte(record + SPACE_OF_DATABASE + database) & 0xFF;
    }

    @Override
    public void spaces(final int[] spaceOfDatabase) {
        final long next = startRecord();
        for (int i = 0; i < SPACES; i++) {
            putByte(next + SPACE_OF_DATABASE + i, (byte) spaceOfDatabase[i]);
        }
        finishRecord(next);
    }

    @Override
    public void replicationId(final byte[] into) {
        for (int i = 0; i < REPLICATION_ID_BYTES; i++) {
            into[i] = getByte(record + REPLICATION_ID + i);
        }
    }

    @Override
    public long replicationOffset() {
        return getLong(record + REPLICATION_OFFSET);
    }

    @Override
    public int replicationDb() {
        return getInt(record + REPLICATION_DB);
    }

    @Override
    public long replicationReach() {
        return getLong(base + REACH);
    }

    @Override
    public void replicationReach(final long offset) {
        UnsafeApi.storeFence();
        putLong(base + REACH, offset);
        UnsafeApi.storeFence();
    }

    @Override
    public boolean isApplying() {
        return getInt(base + APPLYING) != 0;
    }

    @Override
    public void applying(final boolean value) {
        UnsafeApi.storeFence();
        putInt(base + APPLYING, value ? 1 : 0);
        UnsafeApi.storeFence();
    }

    @Override
    public boolean isFilling() {
        return getInt(base + FILLING) != 0;
    }

    @Override
    public void filling(final boolean value) {
        UnsafeApi.storeFence();
        putInt(base + FILLING, value ? 1 : 0);
        UnsafeApi.storeFence();
        sync();
    }

    /** Entries may be missing: a replica that has this store knows no more what it has applied. */
    void forgetReplication() {
        replication(new byte[REPLICATION_ID_BYTES], 0, 0);
    }

    /**
     * Whether the machine has not been started anew since this was asked last. If it has, an unclean stop may have
     * left newer pages of one file beside older ones of another.
     */
    boolean isSameMachineStart() {
        final long now = machineStart();
        final boolean same = getLong(base + MACHINE_START) == now;
        putLong(base + MACHINE_START, now);
        return same;
    }

    private static long machineStart() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip().hashCode();
        } catch (final IOException e) {
            return 0;
        }
    }

    @Override
    public void replication(final byte[] id, final long offset, final int db) {
        final long next = startRecord();
        for (int i = 0; i < REPLICATION_ID_BYTES; i++) {
            putByte(next + REPLICATION_ID + i, id[i]);
        }
        putLong(next + REPLICATION_OFFSET, offset);
        putInt(next + REPLICATION_DB, db);
        finishRecord(next);
    }

    /** Starts to change a copy of the record, in the place of the older one. */
    private long startRecord() {
        final long next = record == base + RECORD_A ? base + RECORD_B : base + RECORD_A;
        putLongRelease(null, next + SEQUENCE, 0);
        UnsafeApi.storeFence();
        UnsafeApi.copyMemory(record + BODY, next + BODY, RECORD_BYTES - BODY);
        return next;
    }

    private void finishRecord(final long next) {
        publish(next, getLong(record + SEQUENCE) + 1);
        record = next;
    }

    private static void publish(final long record, final long sequence) {
        putLong(record + CHECKSUM, checksum(record, sequence));
        putLongRelease(null, record + SEQUENCE, sequence);
    }

    private static boolean isSound(final long record) {
        final long sequence = getLong(record + SEQUENCE);
        return sequence > 0 && getLong(record + CHECKSUM) == checksum(record, sequence);
    }

    private static long checksum(final long record, final long sequence) {
        return KeyHash.hash(sequence, 0, record + BODY, RECORD_BYTES - BODY);
    }

    @Override
    public void close() {
        IoUtil.unmap(buffer);
    }
}
