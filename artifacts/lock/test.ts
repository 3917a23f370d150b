import type { Part } from "../part";
import { versions } from "./versions";

/** An S3-compatible store on a folder. Built in every case: its archives are named by other architectures' names. */
export const versitygw: Part = {
    name: "versitygw",
    version: versions.versitygw,
    licence: "Apache-2.0",
    homepage: "https://github.com/versity/versitygw",
    go: {
        folder: "versitygw",
        module: `github.com/versity/versitygw@v${versions.versitygw}`,
        binaries: { versitygw: "github.com/versity/versitygw/cmd/versitygw" },
        ldflags: [`-X main.Version=v${versions.versitygw}`],
    },
};
