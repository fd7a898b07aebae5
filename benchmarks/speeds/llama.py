"""LlamaIndex with Chroma over some files, as its own guide has it. Run by an interpreter that has them installed.

    PYTHON benchmarks/speeds/llama.py --model FOLDER --tokens N --chroma FOLDER FILE…

Reads every file by `SimpleDirectoryReader`, cuts with `SentenceSplitter` into pieces of at most N of the model's
tokens without overlap, embeds with `HuggingFaceEmbedding` in its own batches and number type, and keeps all in a
persistent Chroma. Prints one line of JSON: seconds by part, pieces, characters. Nothing of ours is imported.
"""

from __future__ import annotations

import argparse
import json
import os
from importlib.metadata import version
from time import perf_counter, process_time

PARTS = ("torch", "sentence-transformers", "llama-index-core", "chromadb")


def main() -> None:
    """Run and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", required=True)
    parser.add_argument("--tokens", type=int, required=True)
    parser.add_argument("--chroma", required=True)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", ANONYMIZED_TELEMETRY="False")
    began = perf_counter()
    import chromadb
    import torch
    from llama_index.core import SimpleDirectoryReader, StorageContext, VectorStoreIndex
    from llama_index.core.node_parser import SentenceSplitter
    from llama_index.embeddings.huggingface import HuggingFaceEmbedding
    from llama_index.vector_stores.chroma import ChromaVectorStore

    model = HuggingFaceEmbedding(model_name=options.model, device="cpu")
    store = chromadb.PersistentClient(options.chroma, chromadb.Settings(anonymized_telemetry=False))
    held = ChromaVectorStore(chroma_collection=store.create_collection("passages"))
    tokenizer = model._model.tokenizer
    cutter = SentenceSplitter(
        chunk_size=options.tokens,
        chunk_overlap=0,
        include_metadata=False,
        tokenizer=lambda text: tokenizer.encode(text, add_special_tokens=False, truncation=False, verbose=False),
    )
    ready, computed = perf_counter(), process_time()
    documents = SimpleDirectoryReader(input_files=options.files).load_data()
    parsed = perf_counter()
    pieces = cutter.get_nodes_from_documents(documents)
    cut = perf_counter()
    VectorStoreIndex(pieces, storage_context=StorageContext.from_defaults(vector_store=held), embed_model=model)
    done, computed = perf_counter(), process_time() - computed
    print(
        json.dumps(
            {
                "start": ready - began,
                "parse": parsed - ready,
                "chunk": cut - parsed,
                "embed and index": done - cut,
                "processor": computed,
                "pieces": len(pieces),
                "characters": sum(len(piece.get_content()) for piece in pieces),
                "kept": held.client.count(),
                "threads": torch.get_num_threads(),
                "number": str(next(model._model.parameters()).dtype).removeprefix("torch."),
                "batch": model.embed_batch_size,
                "versions": {name: version(name) for name in PARTS},
            }
        )
    )


if __name__ == "__main__":
    main()
