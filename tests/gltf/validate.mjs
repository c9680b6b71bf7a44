// Validates glTF files given as arguments with the Khronos validator. Every error and every warning
// is printed and counts; what it merely remarks on does not.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

// The packages lie in the build directory, which is the working directory.
const validator = createRequire(process.cwd() + "/")("gltf-validator");
const WARNING = 1;

let failed = 0;
for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { uri: file });
  const serious = report.issues.messages.filter((message) => message.severity <= WARNING);
  for (const message of serious.slice(0, 5))
    console.log(`  ${message.code} ${message.pointer ?? ""}: ${message.message}`);
  console.log(`${serious.length ? "FAILED" : "ok"} ${file}`);
  failed += serious.length > 0;
}
process.exit(failed ? 1 : 0);
