import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { buildPackage } from "./build";

export const root = resolve(__dirname, "../..");
export const example = join(root, "examples/aws-program.ts");

/** A user's project with the package and its dependencies, and nothing else of ours. */
export class EmptyProject {
    readonly dir = mkdtempSync(join(tmpdir(), "tradewind-package-"));
    readonly package = join(this.dir, "node_modules/tradewind");

    constructor() {
        this.write("package.json", '{ "name": "somebodys", "private": true }');
    }

    /** Installs like users do: npm downloads dependencies. @param what - an archive from `npm pack`, or package names */
    install(...what: readonly string[]): void {
        const args = ["install", "--no-audit", "--no-fund", "--prefer-offline", ...what];
        execFileSync("npm", args, { cwd: this.dir, stdio: ["ignore", "ignore", "inherit"] });
        this.#link("@types/node");
    }

    /** Builds the package and installs it. */
    async make(): Promise<void> {
        const folder = join(this.dir, "made");
        await buildPackage(folder);
        const options = { cwd: this.dir, encoding: "utf8" } as const;
        const [{ filename }] = JSON.parse(execFileSync("npm", ["pack", "--json", folder], options));
        this.install(`./${filename}`);
    }

    /** Links packages from the checkout, without downloads. */
    async link(): Promise<void> {
        await buildPackage(this.package);
        const { dependencies } = JSON.parse(readFileSync(join(this.package, "package.json"), "utf8"));
        [...Object.keys(dependencies), "@types/node"].forEach((name) => void this.#link(name));
    }

    write(file: string, text: string): void {
        writeFileSync(join(this.dir, file), text);
    }

    run(...args: string[]): string {
        return execFileSync(process.execPath, args, { cwd: this.dir, encoding: "utf8", stdio: "pipe" });
    }

    /** The example as users write it. */
    get program(): string {
        return readFileSync(example, "utf8").replace('"../index"', '"tradewind"');
    }

    remove(): void {
        rmSync(this.dir, { recursive: true, force: true });
    }

    #link(name: string): void {
        const path = join(this.dir, "node_modules", name);
        mkdirSync(dirname(path), { recursive: true });
        rmSync(path, { recursive: true, force: true });
        symlinkSync(join(root, "node_modules", name), path);
    }
}
