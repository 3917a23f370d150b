import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../..");

/** A copy of parts of this checkout, with the same packages and nothing cached, for a test that modifies it. */
export function copyCheckout(name: string, parts: readonly string[]): string {
    const copy = mkdtempSync(join(tmpdir(), `tradewind-${name}-`));
    for (const part of parts) {
        cpSync(join(root, part), join(copy, part), { recursive: true });
    }
    mkdirSync(join(copy, "node_modules"));
    for (const name of readdirSync(join(root, "node_modules")).filter((name) => !name.startsWith("."))) {
        symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name));
    }
    return copy;
}
