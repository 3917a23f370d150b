import { readFileSync } from "node:fs";
import { isIPv4 } from "node:net";
import { join } from "node:path";
import type { Patience } from "../../harness/wait";
import { killOnceAnswered, type Member, type MemberProcess, memberProcess } from "./process";

/**
 * Detects a member that is being terminated, as the kubelet does for another image: it has listened and no longer does.
 * One that does not listen yet is not being terminated.
 */
export class Ending {
    #listened?: number;
    #isDeaf = false;

    /**
     * Whether the process is being terminated: seen twice, since the kernel's tables may change while they are read. True
     * only once.
     *
     * @param listens - whether it listens, if known
     */
    hasBegun(pid: number, listens: boolean | undefined): boolean {
        const wasDeaf = this.#isDeaf;
        if (listens !== false) this.#listened = listens ? pid : undefined;
        this.#isDeaf = listens === false && pid === this.#listened;
        if (!this.#isDeaf || !wasDeaf) return false;
        this.#listened = undefined;
        return true;
    }
}

const clientUrls = "--listen-client-urls=";

/** When the kubelet terminates a member for another image, it grants more time than requests have: kill it earlier. */
export async function killIfEnding(
    { name, healthUrl, data }: Member,
    ending: Ending,
    report: Patience["report"],
): Promise<void> {
    const member = memberProcess(data);
    if (member !== undefined && ending.hasBegun(member.pid, takesRequests(member))) {
        report(`${name} accepts no more requests; killing it`);
        await killOnceAnswered(member.pid, healthUrl);
    }
}

/** A terminating member closes its listeners one by one, and serves the watches of each before it closes the next. */
function takesRequests({ pid, flags }: MemberProcess): boolean | undefined {
    const urls = flags.find((flag) => flag.startsWith(clientUrls))?.slice(clientUrls.length);
    const answers = urls?.split(",").map((url) => listens(pid, url)) ?? [];
    if (answers.includes(false)) return false;
    return answers.length === 0 || answers.includes(undefined) ? undefined : true;
}

const listening = "0A";

/**
 * Whether something listens on the IPv4 address and port of a URL, in a process's network, checked without a
 * connection. Undefined if that can't be determined.
 *
 * @see https://docs.kernel.org/networking/proc_net_tcp.html
 */
export function listens(pid: number, url: string, proc = "/proc"): boolean | undefined {
    const { hostname, port } = new URL(url);
    if (!isIPv4(hostname)) {
        return undefined;
    }
    const hosts = [hostname, "0.0.0.0"].map((host) => `${hexOf(host)}:${Number(port).toString(16).padStart(4, "0")}`);
    const wildcard = `${"0".repeat(32)}:${hosts[0]!.split(":")[1]}`;
    try {
        return (
            listenersIn(join(proc, String(pid), "net/tcp")).some((local) => hosts.includes(local)) ||
            listenersIn(join(proc, String(pid), "net/tcp6")).includes(wildcard)
        );
    } catch {
        return undefined;
    }
}

function listenersIn(path: string): string[] {
    return readFileSync(path, "utf8")
        .split("\n")
        .slice(1)
        .map((line) => line.trim().split(/\s+/))
        .filter(([, , , state]) => state === listening)
        .map(([, local = ""]) => local.toLowerCase());
}

/** As the kernel prints the four bytes on little-endian machines: the last one first. */
function hexOf(address: string): string {
    return Buffer.from(address.split(".").map(Number).reverse()).toString("hex");
}
