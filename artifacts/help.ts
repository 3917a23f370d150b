import { ETCD_VERSIONS, KUBERNETES_VERSIONS, versions } from "./lock";

/** What `npm run artifacts -- --help` says. */
export const HELP = `usage: artifacts <command> [options]

  fill      fetch or build what is not in the cache yet
  verify    read everything in the cache and drop what is damaged; the next fill makes it anew
  list      what is locked, under which licence, and what of it is in the cache

  --kubernetes VERSION   ${KUBERNETES_VERSIONS.join(" or ")}; may be given more than once (default ${versions.kubernetes})
  --etcd VERSION         ${ETCD_VERSIONS.join(" or ")}; may be given more than once (default ${versions.etcd})
  --only GROUP           only this group and what it needs, e.g. kubernetes, etcd, rootfs, images; may be given more than once
  --no-downloads         build all that can be built, ask no project's own site
`;
