# A version that the index does not have for this Python; here the index is empty.
python -m pip install --no-index 'tensordict<=0.6.2'
