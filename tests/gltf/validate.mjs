// Validates glTF files given as arguments with the Khronos validator. Whatever it has to say counts:
// errors and warnings, and remarks and hints as well, because there need not be any.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

// The packages lie in the build directory, which is the working directory.
const validator = createRequire(process.cwd() + "/")("gltf-validator");

let failed = 0;
for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { uri: file });
  // What it cannot check is said of itself, not of the file: looks.py follows these pointers.
  const said = report.issues.messages.filter((m) => m.code !== "INCOMPLETE_EXTENSION_SUPPORT");
  for (const message of said.slice(0, 5))
    console.log(`  ${message.code} ${message.pointer ?? ""}: ${message.message}`);
  console.log(`${said.length ? "FAILED" : "ok"} ${file}`);
  failed += said.length > 0;
}
process.exit(failed ? 1 : 0);
