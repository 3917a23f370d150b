import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { secretFiles } from "../../../agents/etcd/keeper/snapshot-store";
import { binary } from "../kubernetes-fixture/binaries";
import { until } from "../until";

/** A real S3-compatible store in a folder on the host, with one bucket. */
export class S3Server {
    readonly #folder = mkdtempSync(join(tmpdir(), "tradewind-s3-"));
    readonly bucket = "backups";
    /** Credentials for it. */
    readonly secrets = { [secretFiles.accessKeyId]: "tester", [secretFiles.secretAccessKey]: "a/secret+key" };
    #child?: ChildProcess;
    #port = 0;

    async start(): Promise<void> {
        mkdirSync(join(this.#folder, "data", this.bucket), { recursive: true });
        mkdirSync(join(this.#folder, "sidecar"), { recursive: true });
        this.#port ||= await freePort();
        const [access, secret] = Object.values(this.secrets) as [string, string];
        const options = ["--quiet", "--access", access, "--secret", secret, "--port", `127.0.0.1:${this.#port}`];
        const backend = ["posix", "--sidecar", join(this.#folder, "sidecar"), join(this.#folder, "data")];
        this.#child = spawn(binary("versitygw"), [...options, ...backend], { stdio: "ignore" });
        process.once("exit", () => this.#child?.kill("SIGKILL"));
        await until("the S3 server to answer", () =>
            fetch(this.endpoint).then(
                () => true,
                () => false,
            ),
        );
    }

    get endpoint(): string {
        return `http://127.0.0.1:${this.#port}`;
    }

    /** Path of an object's contents. */
    file(key: string): string {
        return join(this.#folder, "data", this.bucket, key);
    }

    async stop(): Promise<void> {
        const child = this.#child;
        if (child === undefined) return;
        this.#child = undefined;
        const ended = new Promise((resolve) => child.once("exit", resolve));
        child.kill("SIGKILL");
        await ended;
    }

    async remove(): Promise<void> {
        await this.stop();
        rmSync(this.#folder, { recursive: true });
    }
}

function freePort(): Promise<number> {
    return new Promise((resolve, reject) => {
        const server = createServer().on("error", reject);
        server.listen(0, "127.0.0.1", () => {
            const { port } = server.address() as { port: number };
            server.close(() => resolve(port));
        });
    });
}
