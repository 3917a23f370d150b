import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { buildPackage } from "../../../release/build";

export const root = resolve(__dirname, "../../..");
export const example = join(root, "examples/aws-program.ts");

/** A project of somebody's that has the package and what it depends on, and nothing else of ours. */
export class Project {
    readonly dir = mkdtempSync(join(tmpdir(), "tradewind-package-"));
    readonly package = join(this.dir, "node_modules/tradewind");

    async make(): Promise<void> {
        await buildPackage(this.package);
        const { dependencies } = JSON.parse(readFileSync(join(this.package, "package.json"), "utf8"));
        for (const name of [...Object.keys(dependencies), "@types/node"]) {
            const path = join(this.dir, "node_modules", name);
            mkdirSync(dirname(path), { recursive: true });
            symlinkSync(join(root, "node_modules", name), path);
        }
        this.write("package.json", '{ "name": "somebodys" }');
    }

    write(file: string, text: string): void {
        writeFileSync(join(this.dir, file), text);
    }

    run(...args: string[]): string {
        return execFileSync(process.execPath, args, { cwd: this.dir, encoding: "utf8", stdio: "pipe" });
    }

    /** The example as its readers would have it. */
    get program(): string {
        return readFileSync(example, "utf8").replace('"../index"', '"tradewind"');
    }

    remove(): void {
        rmSync(this.dir, { recursive: true, force: true });
    }
}
