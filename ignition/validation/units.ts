import type { Config } from "../config";
import { mustBe } from "./error";
import { unitFileError } from "./unit-file";

const unitTypes = "service|socket|device|mount|automount|swap|target|path|timer|slice|scope";
const unitName = new RegExp(`^[A-Za-z0-9:_.\\\\@-]+\\.(?:${unitTypes})$`);

/** Errors in systemd units and their drop-ins. */
export function unitErrors({ systemd }: Config): string[] {
    return (systemd?.units ?? []).flatMap(({ name, contents, dropins = [] }, index) => {
        const at = `systemd.units[${index}]`;
        return [
            ...mustBe(unitName.test(name), `${at}.name`, `a unit name with its type (${unitTypes})`, name),
            ...contentsErrors(`${at}.contents`, contents),
            ...dropins.flatMap((dropin, i) => [
                ...mustBe(
                    /^[^/\0]+\.conf$/.test(dropin.name),
                    `${at}.dropins[${i}].name`,
                    "a file name that ends in .conf",
                    dropin.name,
                ),
                ...contentsErrors(`${at}.dropins[${i}].contents`, dropin.contents),
            ]),
        ];
    });
}

function contentsErrors(at: string, contents: string | null | undefined): string[] {
    const error = unitFileError(contents ?? "");
    return mustBe(error === undefined, at, "a unit file", error);
}
