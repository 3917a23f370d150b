import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Properties } from "../../plugins/protocol/serve";

/** A resource as its service would describe it. */
export interface Described {
    readonly inputs: Properties;
    readonly state: Properties;
}

/**
 * What a simulated service returns about each resource, for refreshes and imports: in files next to the account's, since
 * another stack may ask.
 */
export class Memory {
    constructor(private readonly account: string) {}

    /** @default it was created before accounts had a memory */
    recall(type: string, id: string): Described | undefined {
        try {
            return JSON.parse(readFileSync(this.pathOf(type, id), "utf8"));
        } catch (error) {
            if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
            throw error;
        }
    }

    remember(type: string, id: string, described: Described): void {
        mkdirSync(this.folder, { recursive: true, mode: 0o700 });
        writeFileSync(this.pathOf(type, id), JSON.stringify(described), { mode: 0o600 });
    }

    forget(type: string, id: string): void {
        rmSync(this.pathOf(type, id), { force: true });
    }

    private get folder(): string {
        return `${this.account}.described`;
    }

    /** Ids contain slashes and colons. */
    private pathOf(type: string, id: string): string {
        return join(this.folder, createHash("sha256").update(`${type} ${id}`).digest("hex"));
    }
}
