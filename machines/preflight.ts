import { setTimeout as sleep } from "node:timers/promises";
import { describeErrors, preflightFile, preflightPatience, readFindings } from "../agents/boot/preflight";
import { exec } from "./docker";

/** Seconds for the preflight of a machine to end. It is not waited for longer: it is there to help. */
const mostSeconds = 90;

/** Its findings, `-` while there are none yet; empty on a machine without a preflight. */
const question = `[ ! -e /etc/systemd/system/preflight.service ] || cat ${preflightFile} 2>/dev/null || echo -`;

/** Throws all errors that keep a machine from becoming a node, if they last. Prints warnings. */
export async function requireFit(
    cluster: string,
    name: string,
    print: (line: string) => void,
    patience = preflightPatience,
): Promise<void> {
    const start = performance.now();
    const seconds = (since = start) => (performance.now() - since) / 1000;
    for (let unfitSince: number | undefined; ; await sleep(200)) {
        const text = await exec(cluster, name, ["sh", "-c", question]).catch(() => "-");
        const isOver = text.trim() !== "-";
        const { errors, warnings } = readFindings(text);
        if (isOver && errors.length === 0) {
            for (const warning of warnings) print(`${name}: warning: ${warning}`);
            return;
        }
        if (!isOver && seconds() > mostSeconds) return;
        unfitSince = errors.length > 0 ? (unfitSince ?? performance.now()) : undefined;
        if (unfitSince !== undefined && seconds(unfitSince) > patience) {
            throw new Error(describeErrors(name, errors));
        }
    }
}
