import { setTimeout as sleep } from "node:timers/promises";

/** Waits for a condition. @throws on a timeout, with what it waited for */
export async function until(what: string, condition: () => boolean | Promise<boolean>, seconds = 60): Promise<void> {
    const end = Date.now() + seconds * 1000;
    while (!(await condition())) {
        if (Date.now() > end) throw new Error(`timed out after ${seconds} s waiting for: ${what}`);
        await sleep(50);
    }
}
