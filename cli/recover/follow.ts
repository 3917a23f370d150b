import { setTimeout as sleep } from "node:timers/promises";
import { heldFile, releasedFile } from "../../agents/boot/bootstrap/plan";
import { paths } from "../../cluster/paths";
import type { Controller } from "../reach/controller";

/** State of a recovery at one moment. */
export interface Observation {
    readonly state: "at work" | "held" | "over";
    /** New journal lines. */
    readonly lines: readonly string[];
    /** Journal cursor for the next call. */
    readonly cursor?: string;
}

const everyMilliseconds = 500;

/** A step that fails this often in a row will not succeed. */
const mostFailures = 3;

const script = `
state=${paths.bootstrapState}
# Asked before the journal is read, so that the last lines are not left out.
if [ -e "$state/pivoted" ] && ! systemctl is-active --quiet bootstrap.service; then
    [ "$(systemctl show --property ActiveState --value bootstrap.service)" = activating ] && echo 'at work' || echo over
elif [ -e "$state/pivoted" ]; then echo over
elif [ -e "$state/${heldFile}" ] && [ ! -e "$state/${releasedFile}" ]; then echo held
else echo 'at work'; fi
# It fails where there is nothing to show.
journalctl --unit bootstrap.service --output cat --no-pager --quiet --show-cursor "$@" || true
`;

export interface FollowOptions {
    /** Whether to stop once the recovery is held. */
    readonly untilHeld: boolean;
    /** Seconds. */
    readonly timeout: number;
    readonly print: (line: string) => void;
    /** Journal cursor to start from. @default the beginning */
    readonly cursor?: string;
}

/**
 * Prints the steps of a recovery as they complete, through reboots of the machine, until it is over or held.
 *
 * @throws on timeout or if a step fails repeatedly. The controller continues regardless.
 */
export async function followRecovery(controller: Controller, options: FollowOptions): Promise<"over" | "held"> {
    const { untilHeld, timeout, print } = options;
    const deadline = Date.now() + timeout * 1000;
    const failures = new Map<string, number>();
    let cursor = options.cursor;
    let last = "nothing yet";
    for (;;) {
        const observation = await observe(controller, cursor).catch((error: Error): Observation => {
            // The machine may be booting.
            last = error.message;
            return { state: "at work", lines: [] };
        });
        cursor = observation.cursor ?? cursor;
        for (const line of observation.lines.filter(isStep)) {
            print(line);
            last = line;
            const failed = /^([a-z-]+): failed: /.exec(line)?.[1];
            if (failed) {
                failures.set(failed, (failures.get(failed) ?? 0) + 1);
                if (failures.get(failed)! >= mostFailures) {
                    throw new Error(`${line}\nfailed ${mostFailures} times; ${controller.name} keeps retrying`);
                }
            }
        }
        if (observation.state === "over" || (observation.state === "held" && untilHeld)) {
            return observation.state;
        }
        if (Date.now() > deadline) {
            throw new Error(`not done within ${timeout} s; last: ${last}\n${controller.name} keeps trying`);
        }
        await sleep(everyMilliseconds);
    }
}

/** The current state and the end of the journal; `cursor` is undefined if the journal is empty. */
export async function observeNow(controller: Controller): Promise<Observation> {
    return parseObservation(await controller.run(script, ["--lines", "0"]));
}

async function observe(controller: Controller, cursor: string | undefined): Promise<Observation> {
    return parseObservation(await controller.run(script, cursor ? ["--after-cursor", cursor] : []));
}

export function parseObservation(text: string): Observation {
    const [state = "", ...lines] = text.trim().split("\n");
    const cursor = lines.flatMap((line) => /^-- cursor: (.+)$/.exec(line)?.[1] ?? []).at(-1);
    return {
        state: state === "over" || state === "held" ? state : "at work",
        lines: lines.filter((line) => !line.startsWith("-- cursor: ")),
        ...(cursor && { cursor }),
    };
}

/** A log line of the agents: `wait-for-api: https://127.0.0.1:6443 serves Kubernetes 1.36.3 (2.1s)`. */
export function isStep(line: string): boolean {
    return /^[a-z][a-z-]+: .*\(\d+\.\d+s\)$/.test(line);
}
