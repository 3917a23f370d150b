import { join } from "node:path";
import { cacheDir } from "../artifacts/cache";
import { takeFileLock } from "../artifacts/file-lock";

/**
 * Makes a container while nobody else makes the same: what a killed run started may still be at work, and would
 * start the container of the next run before that has its files.
 */
export async function oneAtATime<T>(container: string, make: () => Promise<T>): Promise<T> {
    const release = await takeFileLock(join(cacheDir(), "locks", container), () =>
        console.error(`waiting for another run that is at work on ${container}`),
    );
    try {
        return await make();
    } finally {
        release();
    }
}
