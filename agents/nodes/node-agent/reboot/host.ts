import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { removeDurably, writeDurably } from "../../../harness/durable";
import { bootFile, rebootRequest, rebootTaken, rebootWantedFile } from "../layout";

/** What the machine tells of its boots, and is asked for: files of the state directory. */
export class Host {
    constructor(private readonly directory: string) {}

    /** Id of this boot; undefined on a machine whose node config knows of no reboots. */
    boot(): string | undefined {
        return this.#read(bootFile);
    }

    /** Whether the OS has asked for a reboot in this boot. */
    isRebootWanted(): boolean {
        const boot = this.boot();
        return boot !== undefined && this.#read(rebootWantedFile) === boot;
    }

    /** Has the machine reboot, if it is still in that boot. To ask a host that is going down again does nothing. */
    reboot(boot: string): void {
        if (![rebootRequest, rebootTaken].some((name) => this.#read(name) === boot)) {
            writeDurably(join(this.directory, rebootRequest), `${boot}\n`);
        }
    }

    /** Takes that back, and lets it be asked for again. */
    recall(): void {
        for (const name of [rebootRequest, rebootTaken]) removeDurably(join(this.directory, name));
    }

    #read(name: string): string | undefined {
        const path = join(this.directory, name);
        return existsSync(path) ? readFileSync(path, "utf8").trim() || undefined : undefined;
    }
}
