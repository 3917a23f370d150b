import { setTimeout as sleep } from "node:timers/promises";
import type { Output } from "../../cluster/cluster";
import type { Scene } from "../../cluster/faults";

/** Runs `tradewind recover`, logs its result, and fails if there is none. */
export async function recover({ cluster }: Scene, say: (line: string) => void, ...args: string[]): Promise<Output> {
    const output = await cluster.tradewind("recover", "--timeout", "600", ...args);
    const [line] = /the (cluster's own )?control plane serves.* after [\d.]+ s/.exec(output.stdout) ?? [];
    if (line === undefined) throw new Error(`recover ${args.join(" ")} reports no result: ${output.stdout}`);
    say(`recover ${args.join(" ")}: ${line}`);
    return output;
}

/**
 * Strikes a controller once at each step of its recovery that is observed (ten times per second), until `recovering`
 * ends. Resolves to these steps.
 */
export async function strikeAtEachStep(
    { cluster }: Scene,
    controller: string,
    strike: () => Promise<unknown>,
    recovering: Promise<unknown>,
): Promise<string[]> {
    const struck = new Set<string>();
    const start = new Date();
    // Of the restore only the ends of steps are visible.
    const look = `tail -n 1 /var/lib/tradewind/bootstrap/stages.jsonl 2>/dev/null
        journalctl --unit bootstrap.service --since @${Math.floor(start.getTime() / 1000)} --output cat --no-pager --quiet --lines 1`;
    let isOver = false;
    const over = () => {
        isOver = true;
    };
    const end = recovering.then(over, over);
    while (!isOver) {
        // The machine may be booting.
        const seen = await cluster.exec(controller, look).catch(() => "");
        const [, time = "", last] = /"time":"([^"]+)","step":"([a-z-]+)"/.exec(seen) ?? [];
        // An earlier recovery has left its last line.
        const step = new Date(time) > start ? last : undefined;
        const restored = /^(fetch-snapshot|stop-member|restore-data|swap-data|start-member|wait-until-serving): /m.exec(
            seen,
        );
        const next = [restored?.[1], step].find((each) => each !== undefined && !struck.has(each));
        if (next !== undefined && !isOver) {
            struck.add(next);
            await strike();
        }
        await sleep(100);
    }
    await end;
    await recovering;
    return [...struck];
}
