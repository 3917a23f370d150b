/** Whether there is a process with this ID. */
export function isRunning(pid: number): boolean {
    try {
        return process.kill(pid, 0);
    } catch (error) {
        return (error as NodeJS.ErrnoException).code === "EPERM";
    }
}
