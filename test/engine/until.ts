import { setTimeout as sleep } from "node:timers/promises";

/** Waits for a condition. @throws when it does not come about in time, with what was waited for */
export async function until(what: string, condition: () => boolean | Promise<boolean>, seconds = 60): Promise<void> {
    const end = Date.now() + seconds * 1000;
    while (!(await condition())) {
        if (Date.now() > end) throw new Error(`waited ${seconds} s in vain: ${what}`);
        await sleep(50);
    }
}
