import * as pulumi from "@pulumi/pulumi";
import { printable } from "../../clients/printable";

type Log = (text: string, resource?: pulumi.Resource) => Promise<void>;

/** Messages to the engine, which passes them on to the terminal as they are. They may quote what a cluster says. */
export const log: Readonly<Record<"info" | "warn" | "error", Log>> = {
    info: (text, resource) => pulumi.log.info(printable(text), resource),
    warn: (text, resource) => pulumi.log.warn(printable(text), resource),
    error: (text, resource) => pulumi.log.error(printable(text), resource),
};
