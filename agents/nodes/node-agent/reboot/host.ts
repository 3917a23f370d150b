import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { removeDurably, writeDurably } from "../../../harness/durable";
import { bootFile, rebootRequest, rebootRequestedFile, rebootTaken } from "../layout";

/** The machine's boot state, and requests to the host: files in the state directory. */
export class Host {
    constructor(private readonly directory: string) {}

    /** ID of this boot; undefined on a machine whose node config does not support reboots. */
    boot(): string | undefined {
        return this.#read(bootFile);
    }

    /** Whether the OS has requested a reboot in this boot. */
    isRebootRequested(): boolean {
        const boot = this.boot();
        return boot !== undefined && this.#read(rebootRequestedFile) === boot;
    }

    /**
     * Requests a reboot from the host, if it is still in that boot. Repeating it while the host goes down does nothing.
     */
    reboot(boot: string): void {
        if (![rebootRequest, rebootTaken].some((name) => this.#read(name) === boot)) {
            writeDurably(join(this.directory, rebootRequest), `${boot}\n`);
        }
    }

    /** Withdraws the request, so that it can be repeated. */
    recall(): void {
        for (const name of [rebootRequest, rebootTaken]) removeDurably(join(this.directory, name));
    }

    #read(name: string): string | undefined {
        const path = join(this.directory, name);
        return existsSync(path) ? readFileSync(path, "utf8").trim() || undefined : undefined;
    }
}
