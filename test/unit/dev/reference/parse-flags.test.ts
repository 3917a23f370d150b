import assert from "node:assert/strict";
import { parseFlags } from "../../../../dev/reference/flag-table";

describe("the flags in a program's help", () => {
    it("are parsed for Kubernetes' programs, with their deprecation messages", () => {
        const help = `Runs pods with --flags.

Generic flags:

      --admission-control strings   Names. (DEPRECATED: Use --enable-admission-plugins instead. Will be removed.)
      --feature-gates map           Pairs: --feature-gates 'a=true'
                                    kube:A=true|false (DEPRECATED - default=true)
  -v, --v Level                     number for the log level verbosity
      --max-pods int32              Pods. (default 110) (DEPRECATED: This parameter should be set via the config file specified by --config.)
      --boot-id-file string         Files. (DEPRECATED: This is a mistake. Due to legacy concerns, it stays.)
`;
        assert.deepEqual(parseFlags(help), {
            "admission-control": "Use --enable-admission-plugins instead. Will be removed.",
            "feature-gates": "",
            v: "",
            "max-pods": "",
            "boot-id-file": "This is a mistake.",
        });
    });

    it("are parsed for etcd, which prints descriptions on the next line", () => {
        const help = `Usage:

  etcd --version
    Show the version of etcd.

Member:
  --max-snapshots '5'
    Files to retain. Deprecated in v3.6 and will be decommissioned in v3.8.
  --discovery ''
    URL. Will be deprecated in v3.7.
`;
        assert.deepEqual(parseFlags(help), {
            "max-snapshots": "Deprecated in v3.6 and will be decommissioned in v3.8.",
            discovery: "",
        });
    });
});
