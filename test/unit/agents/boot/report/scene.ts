import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ReportPlan } from "../../../../../agents/boot/report/plan";
import { freePort } from "../../../../free-port";

/** A host with a reporter's files. Its API port and its apiservers' ports are on loopback. */
export class Host {
    readonly root = mkdtempSync(join(tmpdir(), "tradewind-report-"));

    private constructor(readonly plan: ReportPlan) {}

    static async create(): Promise<Host> {
        const paths = { ca: "/ca.crt", cert: "/tls.crt", key: "/tls.key", state: "/state", kubeconfig: "/kubeconfig" };
        const root = "";
        const plan = { root, port: await freePort(), apiservers: ["127.9.8.7", "127.9.8.8"], ...paths };
        const host = new Host({ ...plan, staticPods: "/pods", manifests: "/opt/manifests" });
        Object.assign(host.plan, { root: host.root });
        return host;
    }

    write(path: string, text: string): void {
        mkdirSync(dirname(join(this.root, path)), { recursive: true });
        writeFileSync(join(this.root, path), text);
    }

    read(path: string): string {
        return readFileSync(join(this.root, path), "utf8");
    }

    has(path: string): boolean {
        return existsSync(join(this.root, path));
    }

    /** Starts a listener on the API port of an address, and returns a function that closes it. */
    listen(address: string): Promise<() => Promise<void>> {
        const server = createServer((socket) => socket.destroy());
        return new Promise((resolve, reject) => {
            server.once("error", reject);
            server.listen(this.plan.port, address, () =>
                resolve(() => new Promise((done) => server.close(() => done()))),
            );
        });
    }

    remove(): void {
        rmSync(this.root, { recursive: true });
    }
}
