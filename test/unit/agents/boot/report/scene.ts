import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ReportPlan } from "../../../../../agents/boot/report/plan";
import { freePort } from "../../../../free-port";

/** A host with the files of a reporter: its API's port is one of the loopback's, as its apiservers' are. */
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

    /** Has somebody listen at the API's port of an address; what it returns ends that. */
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
