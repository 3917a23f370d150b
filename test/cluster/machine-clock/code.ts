/**
 * What a process runs instead of its vDSO's functions: the real system call, with its wall clock moved. Only uses
 * registers that a function may change (System V ABI for AMD64): of these a system call changes rax, rcx and r11.
 */
export interface Code {
    readonly __vdso_clock_gettime: Buffer;
    readonly __vdso_gettimeofday: Buffer;
    readonly __vdso_time: Buffer;
}

const syscall = [0x0f, 0x05];
const ret = 0xc3;
/** mov eax, <number> */
const number = (of: number) => [0xb8, of, 0x00, 0x00, 0x00];
/** mov rcx, <delta> */
const movDelta = (delta: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(delta);
    return [0x48, 0xb9, ...bytes];
};

/** @param seconds - how far the wall clock is moved; monotonic clocks are unchanged */
export function codeFor(seconds: bigint): Code {
    return {
        // clock_gettime(edi: clock, rsi: timespec)
        __vdso_clock_gettime: Buffer.from([
            ...[...number(228), ...syscall],
            ...[0x85, 0xc0, 0x75, 0x16], // test eax, eax; jnz to the end: it failed
            ...[0x85, 0xff, 0x74, 0x05], // test edi, edi; jz over the next two: CLOCK_REALTIME
            ...[0x83, 0xff, 0x05, 0x75, 0x0d], // cmp edi, 5; jne to the end: not CLOCK_REALTIME_COARSE
            ...[...movDelta(seconds), 0x48, 0x01, 0x0e], // add [rsi], rcx
            ret,
        ]),
        // gettimeofday(rdi: timeval or null, rsi: timezone or null)
        __vdso_gettimeofday: Buffer.from([
            ...[...number(96), ...syscall],
            ...[0x85, 0xc0, 0x75, 0x12], // test eax, eax; jnz to the end: it failed
            ...[0x48, 0x85, 0xff, 0x74, 0x0d], // test rdi, rdi; jz to the end: only the time zone was asked for
            ...[...movDelta(seconds), 0x48, 0x01, 0x0f], // add [rdi], rcx
            ret,
        ]),
        // time(rdi: seconds or null)
        __vdso_time: Buffer.from([
            ...[...number(201), ...syscall],
            ...[...movDelta(seconds), 0x48, 0x01, 0xc8], // add rax, rcx
            ...[0x48, 0x85, 0xff, 0x74, 0x03], // test rdi, rdi; jz to the end
            ...[0x48, 0x89, 0x07], // mov [rdi], rax
            ret,
        ]),
    };
}
