import { join } from "node:path";
import { cacheDir } from "../artifacts/cache";
import { takeFileLock } from "../artifacts/file-lock";

/**
 * Creates a container under a lock: commands of a run that was killed may still be running, and would start the next
 * run's container before it has its files.
 */
export async function oneAtATime<T>(container: string, make: () => Promise<T>): Promise<T> {
    const release = await takeFileLock(join(cacheDir(), "locks", container), () =>
        console.error(`waiting for another run that is creating ${container}`),
    );
    try {
        return await make();
    } finally {
        release();
    }
}
